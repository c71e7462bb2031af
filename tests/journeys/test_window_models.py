"""Choosing a model: what is found, how it is to be loaded, the memory that takes, and what is remembered of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from cutaway.ui.drive import Driver
from cutaway.ui.model_dialog import ModelDialog
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
        dialog.context.setValue(512)
        dialog.kv_k.setCurrentText("q8_0")
        dialog.micro_batch.setValue(64)
        dialog.mapped.setChecked(False)
        await drive.until(lambda: "512" in dialog.memory.text(), "the forecast for that context")
        assert "CPU" in dialog.memory.text()
        dialog.load.click()
        bench = drive.window.desk.bench
        await drive.until(lambda: bench.model.facts is not None and bench.model.facts.path == str(path), "the model")
        kept = bench.model_settings(path)
        assert (kept.context, kept.kv_type_k, kept.kv_type_v) == (512, "q8_0", "f16")
        assert (kept.batch, kept.micro_batch, kept.use_mmap, kept.use_mlock) == (2048, 64, False, False)
        assert (kept.threads, kept.threads_batch, kept.gpu_layers, kept.swa_full) == (None, None, None, False)
        drive.window.requests.fill_recent()
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
