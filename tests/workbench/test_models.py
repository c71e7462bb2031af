"""Models in the folders that people already have: each program's own layout, read in place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutaway.workbench.models import Place, find_models, known_places, quantisation_of

GGUF = b"GGUF" + b"\0" * 100


def put(path: Path, content: bytes = GGUF) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def found(home: Path, *more: str, **environ: str) -> list[tuple[str, str]]:
    places = [place for place in known_places(more, home, environ) if place.source != "Cutaway"]
    return [(model.source, model.name) for model in find_models(places)]


def test_each_program_is_found_where_it_keeps_its_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    put(tmp_path / ".lmstudio/models/maker/repo/Alpha-Q4_K_M.gguf")
    put(tmp_path / ".local/share/Jan/data/llamacpp/models/Beta/model.gguf")
    put(tmp_path / ".local/share/nomic.ai/GPT4All/Gamma.Q4_0.gguf")
    put(tmp_path / ".cache/llama.cpp/delta.gguf")
    blob = put(tmp_path / ".cache/huggingface/hub/models--m--r/blobs/abc")
    link = tmp_path / ".cache/huggingface/hub/models--m--r/snapshots/rev/Epsilon-Q8_0.gguf"
    link.parent.mkdir(parents=True)
    link.symlink_to(blob)
    put(tmp_path / "my own/Zeta.gguf")
    assert found(tmp_path, str(tmp_path / "my own")) == [
        ("LM Studio", "Alpha-Q4_K_M"),
        ("llama.cpp", "delta"),
        ("Hugging Face", "Epsilon-Q8_0"),
        ("GPT4All", "Gamma.Q4_0"),
        ("Jan", "model"),
        (str(tmp_path / "my own"), "Zeta"),
    ]


def test_ollamas_blobs_are_found_through_its_manifests(tmp_path: Path) -> None:
    digest = "a" * 64
    blob = put(tmp_path / "store/blobs" / f"sha256-{digest}")
    layers = [
        {"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:" + "b" * 64},
        {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}"},
    ]
    manifests = tmp_path / "store/manifests/registry.ollama.ai"
    put(manifests / "library/qwen3/8b", json.dumps({"layers": layers}).encode())
    put(manifests / "someone/theirs/latest", json.dumps({"layers": layers}).encode())
    put(manifests / "library/broken/latest", b"{")
    put(manifests / "library/evil/latest", json.dumps({"layers": [{**layers[1], "digest": "../../x"}]}).encode())
    (model,) = find_models([Place("Ollama", tmp_path / "store", "ollama")])
    assert (model.name, model.path, model.source) == ("qwen3:8b", str(blob), "Ollama")
    assert found(tmp_path, OLLAMA_MODELS=str(tmp_path / "store")) == [("Ollama", "qwen3:8b")]


def test_a_model_in_parts_is_one(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        put(tmp_path / f"Big-Q4_K_M-0000{number}-of-00003.gguf")
    put(tmp_path / "Half-00002-of-00002.gguf")
    put(tmp_path / "Torn-00001-of-00002.gguf")
    models = find_models([Place("x", tmp_path)])
    assert [(m.name, m.parts, m.complete, m.bytes, m.quantisation) for m in models] == [
        ("Big-Q4_K_M", 3, True, 3 * len(GGUF), "Q4_K_M"),
        ("Torn", 2, False, len(GGUF), ""),
    ]


def test_what_is_no_model_is_passed_over(tmp_path: Path) -> None:
    put(tmp_path / "mmproj-model.gguf")
    put(tmp_path / "text.gguf", b"not a model")
    put(tmp_path / "empty.gguf", b"")
    put(tmp_path / "model.bin")
    (tmp_path / "dangling.gguf").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert find_models([Place("x", tmp_path), Place("y", tmp_path / "missing")]) == []


def test_a_file_in_two_places_is_listed_once(tmp_path: Path) -> None:
    put(tmp_path / "a/One.gguf")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/Other.gguf").symlink_to(tmp_path / "a/One.gguf")
    assert len(find_models([Place("a", tmp_path / "a"), Place("b", tmp_path / "b")])) == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Qwen3-8B-Q4_K_M", "Q4_K_M"),
        ("model.IQ3_XXS", "IQ3_XXS"),
        ("gpt-oss-20b-mxfp4", "MXFP4"),
        ("x-BF16", "BF16"),
        ("SmolLM2-135M-Instruct.Q4_1", "Q4_1"),
        ("Qwen3-UD-Q2_K_XL", "UD-Q2_K_XL"),
        ("llama", ""),
    ],
)
def test_the_quantisation_as_the_name_says_it(name: str, said: str) -> None:
    assert quantisation_of(name) == said
