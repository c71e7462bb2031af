"""Model files that are on this machine already, wherever other programs keep theirs. Read in place, never moved."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutaway import places

DEEPEST = 7
"""Folders below a place that are looked into."""
MOST_FILES = 20_000
"""Entries of a place that are looked at, whatever lies there."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model file found on this machine."""

    path: str
    """Of the first part, for a model in several."""
    name: str
    bytes: int
    """Of all parts."""
    source: str
    """Whose folder: `Cutaway`, `LM Studio`, `Ollama`, `Hugging Face`, `Jan`, `GPT4All`, or a folder's path."""
    quantisation: str = ""
    """As the file's name says it; empty where it does not."""
    parts: int = 1
    complete: bool = True
    """All parts are there."""


@dataclass(frozen=True, slots=True)
class Place:
    source: str
    folder: Path
    kind: str = "files"
    """`files`, or `ollama`, which keeps models in blobs named by their hash."""
    own: bool = False
    """The person added it."""


def known_places(
    more: Sequence[str] = (), home: Path | None = None, environ: Mapping[str, str] | None = None
) -> list[Place]:
    """The folders in which programs for local models keep their files; `more` are the person's own."""
    home = home or Path.home()
    environ = os.environ if environ is None else environ
    found = [Place("Cutaway", places.models())]
    found += [Place("LM Studio", folder) for folder in _lm_studio(home)]
    found += [Place("Ollama", folder, "ollama") for folder in _ollama(home, environ)]
    found += [Place("Hugging Face", folder) for folder in _hugging_face(home, environ)]
    found += [Place("llama.cpp", folder) for folder in _llama_cpp(home, environ)]
    found += [Place("Jan", folder) for base in _data_folders(home, environ, "Jan") for folder in (base / "data",)]
    found += [Place("Jan", home / "jan" / "models")]
    found += [Place("GPT4All", base / "GPT4All") for base in _data_folders(home, environ, "nomic.ai", local=True)]
    found += [Place(folder, Path(folder).expanduser(), own=True) for folder in more]
    return found


def find_models(searched: Iterable[Place]) -> list[KnownModel]:
    """The GGUF models in the places that exist, each file once; sorted by name. What cannot be read is passed over."""
    models: dict[str, KnownModel] = {}
    for place in searched:
        found = _ollama_models(place) if place.kind == "ollama" else _gguf_models(place)
        for model in found:
            models.setdefault(os.path.realpath(model.path), model)
    return sorted(models.values(), key=lambda model: (model.name.casefold(), model.path))


# -- Folders of files ---------------------------------------------------------------------------------------

_PART = re.compile(r"^(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})$")
_QUANTISATION = re.compile(
    r"(?:^|[-_.])((?:UD-)?(?:I?Q\d(?:_[A-Z0-9]+)*|TQ\d_\d|MXFP4(?:_MOE)?|BF16|F16|F32|FP16))(?=$|[-_.])", re.IGNORECASE
)


def _gguf_models(place: Place) -> Iterator[KnownModel]:
    groups: dict[tuple[Path, str, int], dict[int, Path]] = {}
    for path in _gguf_files(place.folder):
        match = _PART.match(path.stem)
        if match is None:
            if (size := _size(path)) > 0 and _is_gguf(path):
                yield KnownModel(str(path), path.stem, size, place.source, quantisation_of(path.stem))
            continue
        key = (path.parent, match["stem"], int(match["count"]))
        groups.setdefault(key, {})[int(match["number"])] = path
    for (_, stem, count), parts in groups.items():
        first = parts.get(1)
        if first is not None and _is_gguf(first):
            size = sum(map(_size, parts.values()))
            complete = len(parts) == count
            yield KnownModel(str(first), stem, size, place.source, quantisation_of(stem), count, complete)


def quantisation_of(name: str) -> str:
    """As a file's name says it, e.g. `Q4_K_M`; empty where it does not."""
    found = _QUANTISATION.findall(name)
    return str(found[-1]).upper() if found else ""


def _gguf_files(folder: Path) -> Iterator[Path]:
    """Files that end in .gguf, but for projectors, which are no models by themselves."""
    seen = 0
    stack = [(folder, 0)]
    while stack:
        at, depth = stack.pop()
        try:
            entries = sorted(os.scandir(at), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            seen += 1
            if seen > MOST_FILES:
                return
            name = entry.name.lower()
            try:
                if entry.is_dir(follow_symlinks=False) and depth < DEEPEST and not name.startswith("."):
                    stack.append((Path(entry.path), depth + 1))
                elif name.endswith(".gguf") and "mmproj" not in name and entry.is_file():
                    yield Path(entry.path)
            except OSError:
                continue


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _is_gguf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"GGUF"
    except OSError:
        return False


# -- Ollama ---------------------------------------------------------------------------------------------------

_MODEL_LAYER = "application/vnd.ollama.image.model"


def _ollama_models(place: Place) -> Iterator[KnownModel]:
    """A manifest is a file registry/namespace/name/tag that names the blob that is the model."""
    manifests = place.folder / "manifests"
    for index, manifest in enumerate(_files(manifests)):
        if index > MOST_FILES:
            return
        digest = _model_digest(manifest)
        blob = place.folder / "blobs" / digest.replace(":", "-")
        if digest and (size := _size(blob)) > 0 and _is_gguf(blob):
            name = _ollama_name(manifest.relative_to(manifests).parts)
            yield KnownModel(str(blob), name, size, place.source, quantisation_of(name))


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from (path for path in sorted(folder.rglob("*")) if path.is_file())
    except OSError:
        return


def _model_digest(manifest: Path) -> str:
    try:
        value = json.loads(manifest.read_text(encoding="utf-8"))
        layers = value["layers"]
        found = (str(layer["digest"]) for layer in layers if layer["mediaType"] == _MODEL_LAYER)
        digest = next(found, "")
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""
    return digest if re.fullmatch(r"sha256:[0-9a-f]{64}", digest) else ""


def _ollama_name(parts: Sequence[str]) -> str:
    *path, tag = parts
    shown = [part for part in path if part not in ("registry.ollama.ai", "library")]
    return "/".join(shown) + ":" + tag


# -- Where programs keep things -------------------------------------------------------------------------------


def _lm_studio(home: Path) -> Iterator[Path]:
    pointer = home / ".lmstudio-home-pointer"
    try:
        yield Path(pointer.read_text(encoding="utf-8").strip()) / "models"
    except (OSError, ValueError):
        pass
    yield home / ".lmstudio" / "models"
    yield home / ".cache" / "lm-studio" / "models"


def _ollama(home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    if named := environ.get("OLLAMA_MODELS"):
        yield Path(named)
    yield home / ".ollama" / "models"
    if sys.platform.startswith("linux"):
        yield Path("/usr/share/ollama/.ollama/models")


def _hugging_face(home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    for key in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if named := environ.get(key):
            yield Path(named)
    if named := environ.get("HF_HOME"):
        yield Path(named) / "hub"
    yield _cache_folder(home, environ) / "huggingface" / "hub"


def _llama_cpp(home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    if named := environ.get("LLAMA_CACHE"):
        yield Path(named)
    if sys.platform == "darwin":
        yield home / "Library" / "Caches" / "llama.cpp"
    yield _cache_folder(home, environ) / "llama.cpp"


def _cache_folder(home: Path, environ: Mapping[str, str]) -> Path:
    return Path(environ.get("XDG_CACHE_HOME") or home / ".cache")


def _data_folders(home: Path, environ: Mapping[str, str], name: str, *, local: bool = False) -> Iterator[Path]:
    """Where the platform lets a program keep its data."""
    if sys.platform == "win32":
        key = "LOCALAPPDATA" if local else "APPDATA"
        if base := environ.get(key):
            yield Path(base) / name
    elif sys.platform == "darwin":
        yield home / "Library" / "Application Support" / name
    else:
        yield Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share") / name
