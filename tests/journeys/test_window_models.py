"""Choosing a model: what is found, how it is to be loaded, the memory that takes, and what is remembered of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from cutaway.engine.command import ModelSettings
from cutaway.ui.drive import Driver
from cutaway.ui.opening.dialog import ModelDialog
from cutaway.ui.opening.folders import FoldersDialog
from support.tiny_models import write_model
from support.window import Journey


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    models = tmp_path / "models"
    models.mkdir()
    write_model(models / "tiny-llama.gguf", "attention")
    (models / "broken.gguf").write_bytes(b"GGUF and no more")
    monkeypatch.setenv("CUTAWAY_MODELS", str(models))
    return models


async def opened(drive: Driver) -> ModelDialog:
    drive.window.requests.call("model.load")
    dialog = drive.window.findChild(ModelDialog)
    assert isinstance(dialog, ModelDialog)
    await drive.until(lambda: dialog.list.count() >= 1, "the list of models")
    await drive.settle()
    return dialog


def row_of(dialog: ModelDialog, path: Path) -> int:
    paths = [dialog.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(dialog.list.count())]
    return paths.index(str(path))


def test_a_found_model_is_loaded_as_chosen_and_that_is_remembered(journey: Journey, folder: Path) -> None:
    async def story(drive: Driver) -> None:
        path = folder / "tiny-llama.gguf"
        dialog = await opened(drive)
        dialog.list.setCurrentRow(row_of(dialog, path))
        dialog.form.context.setValue(512)
        dialog.form.kv_k.setCurrentText("q8_0")
        dialog.form.micro_batch.setValue(64)
        dialog.form.mapped.setChecked(False)
        await drive.until(lambda: "512" in dialog.memory.text(), "the forecast for that context")
        assert "CPU" in dialog.memory.text()
        dialog.load.click()
        bench = drive.window.desk.bench
        await drive.until(lambda: bench.model.facts is not None and bench.model.facts.path == str(path), "the model")
        kept = bench.model_settings(path)
        assert (kept.context, kept.kv_type_k, kept.kv_type_v) == (512, "q8_0", "f16")
        assert (kept.batch, kept.micro_batch, kept.use_mmap, kept.use_mlock) == (2048, 64, False, False)
        assert (kept.threads, kept.threads_batch, kept.gpu_layers, kept.swa_full) == (None, None, None, False)
        drive.window.requests.files.fill_recent()
        assert drive.window.recent.actions()[0].text() == path.name

    journey(story, model=None)


def test_a_file_that_is_no_model_is_a_sentence_in_the_dialog(journey: Journey, folder: Path) -> None:
    async def story(drive: Driver) -> None:
        dialog = await opened(drive)
        dialog.choose(str(folder / "broken.gguf"))
        await drive.until(lambda: dialog.memory.property("error") is True, "a sentence")
        assert "broken.gguf" in dialog.memory.text()
        assert "Traceback" not in dialog.memory.text()
        dialog.reject()

    journey(story, model=None)


def test_the_list_is_searched(journey: Journey, folder: Path) -> None:
    async def story(drive: Driver) -> None:
        dialog = await opened(drive)
        row = row_of(dialog, folder / "tiny-llama.gguf")
        dialog.search.setText("tiny")
        assert not dialog.list.item(row).isHidden()
        dialog.search.setText("no such model")
        assert dialog.list.item(row).isHidden()
        dialog.reject()

    journey(story, model=None)


def test_devices_and_adapters_are_chosen_and_remembered(journey: Journey, folder: Path, tmp_path: Path) -> None:
    path = str(folder / "tiny-llama.gguf")

    async def story(drive: Driver) -> None:
        dialog = await opened(drive)
        dialog.choose(path)
        devices = dialog.form.devices
        names = [devices.item(row).text() for row in range(devices.count())]
        assert any(name.startswith("CPU: ") and "GB free" in name for name in names), names
        assert dialog.settings().devices == ()
        row = next(row for row, name in enumerate(names) if name.startswith("CPU"))
        devices.item(row).setCheckState(Qt.CheckState.Checked)
        assert dialog.settings().devices == ("CPU",)
        adapters = dialog.form.adapters
        for name in ("style.gguf", "style.gguf", "tone.gguf"):
            adapters.add(str(tmp_path / name))
        adapters.rows[0].scale.setValue(0.5)
        adapters.rows[1].drop.click()
        assert dialog.settings().loras == ((str(tmp_path / "style.gguf"), 0.5),)
        adapters.rows[0].drop.click()
        dialog.load.click()
        bench = drive.window.desk.bench
        await drive.until(lambda: bench.model.facts is not None and bench.model.facts.path == path, "the model")
        assert (bench.model_settings(path).devices, bench.model_settings(path).loras) == (("CPU",), ())

    journey(story, model=None)


def test_an_adapter_that_is_gone_is_kept_to_be_seen_and_a_sentence_when_loading(journey: Journey, folder: Path) -> None:
    path = str(folder / "tiny-llama.gguf")

    async def story(drive: Driver) -> None:
        bench = drive.window.desk.bench
        await bench.load_model(path, ModelSettings(loras=(("/nowhere/style.gguf", 0.5),), devices=("CUDA9",)))
        await drive.until(lambda: bench.model.state != "loading", "the end of loading")
        dialog = await opened(drive)
        dialog.choose(path)
        texts = [dialog.form.devices.item(row).text() for row in range(dialog.form.devices.count())]
        assert "CUDA9 · not here now" in texts
        assert [row.path for row in dialog.form.adapters.rows] == ["/nowhere/style.gguf"]
        dialog.reject()

    journey(story, model=None)


def test_own_folders_are_added_and_removed_in_place(journey: Journey, folder: Path, tmp_path: Path) -> None:
    more = tmp_path / "elsewhere"
    more.mkdir()
    write_model(more / "far-away.gguf", "attention")

    async def story(drive: Driver) -> None:
        dialog = await opened(drive)
        dialog._show_folders()
        folders = dialog.findChild(FoldersDialog)
        assert isinstance(folders, FoldersDialog)
        folders.add(str(more))
        await drive.until(lambda: "far-away" in " ".join(listed(dialog)), "the new folder's model")
        assert str(more) in drive.window.desk.bench.model_folders()
        assert not folders.drop.isEnabled()
        folders.list.setCurrentRow(folders.list.count() - 1)
        folders.drop.click()
        await drive.until(lambda: "far-away" not in " ".join(listed(dialog)), "the list without it")
        assert (more / "far-away.gguf").is_file()
        folders.reject()
        dialog.reject()

    journey(story, model=None)


def listed(dialog: ModelDialog) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def test_a_model_that_rests_keeps_its_name_and_wakes_when_it_is_needed_and_one_that_is_gone_does_not(
    journey: Journey,
) -> None:
    async def story(drive: Driver) -> None:
        bench = drive.window.desk.bench
        bench.set_preference("idle_unload_minutes", 0.001)
        await drive.until(lambda: bench.model.state == "none", "the rest")
        assert "scripted" in drive.window.topbar.model.text()
        assert not drive.window.empty.buttons.isVisible()
        bench.set_preference("idle_unload_minutes", 0)
        turn = await drive.ask("Wake up")
        assert turn.state == "done"
        await bench.unload()
        await drive.settle()
        assert drive.window.composer.line.text() == "No model"

    journey(story)
