"""What the application tree leaves out: a pure question about each file's place in it.

Three kinds of file go: parts of Qt that no import of ours reaches, libraries that belong to the host (an old copy of
libstdc++ or libX11 in a bundle breaks GL drivers and input methods on newer systems), and the libraries that pip
built for llama.cpp, which are tuned to the build machine; the portable runtime replaces them.
"""

from __future__ import annotations

import re
import sys
from fnmatch import fnmatch
from pathlib import PurePosixPath

QT_LIBRARIES = {"Core", "DBus", "Gui", "OpenGL", "Svg", "WaylandClient", "Widgets", "XcbQpa"}
"""`libQt6<name>.so`: what our modules and the kept plugins link. OpenGL is linked by the Wayland integration."""

QT_MODULES = {"QtCore", "QtGui", "QtSvg", "QtWidgets"} | ({"QtNetwork"} if sys.platform == "win32" else set())
"""`PySide6/<name>.abi3.so`: the bindings that the program imports. Only Windows hands files over through QtNetwork."""

if sys.platform == "win32":
    QT_LIBRARIES |= {"Network"}

QT_PLUGINS = [
    "platforms/*xcb*",
    "platforms/*wayland*",
    "platforms/*offscreen*",
    "platforms/*windows*",
    "platforms/*cocoa*",
    "platformthemes/*xdgdesktopportal*",
    "platforminputcontexts/*",
    "imageformats/*svg*",
    "imageformats/*png*",
    "iconengines/*svg*",
    "styles/*",
    "wayland-decoration-client/*",
    "wayland-graphics-integration-client/*wayland-egl*",
    "wayland-shell-integration/*xdg-shell*",
    "xcbglintegrations/*",
    "accessible*/*",
]

HOST_LIBRARIES = [
    "libX11*",
    "libxcb.so*",
    "libxcb-dri*",
    "libGL.so*",
    "libGLX*",
    "libGLdispatch*",
    "libEGL*",
    "libOpenGL*",
    "libdrm*",
    "libgbm*",
    "libglib-2*",
    "libgobject-2*",
    "libgio-2*",
    "libgmodule-2*",
    "libgthread-2*",
    "libstdc++*",
    "libgcc_s*",
    "libdbus-1*",
    "libfontconfig*",
    "libfreetype*",
    "libexpat*",
    "libpng16*",
    "libwayland-*",
    "libsystemd*",
    "libgcrypt*",
    "libgpg-error*",
    "libcap.so*",
    "libgtk*",
    "libgdk*",
    "libpango*",
    "libcairo*",
    "libatk*",
    "libatspi*",
    "libharfbuzz*",
    "libkrb5*",
    "libk5crypto*",
    "libgssapi*",
    "libcom_err*",
    "libkeyutils*",
    "libXau*",
    "libXdmcp*",
    "libXext*",
    "libXrender*",
    "libXi.so*",
    "libpixman*",
    "libpcre*",
    "libmount*",
    "libblkid*",
    "libselinux*",
    "libgraphite2*",
    "libthai*",
    "libfribidi*",
    "libdatrie*",
    "libbsd*",
    "libmd.so*",
    "liblz4*",
    "libzstd*",
    "libjpeg*",
]

PYTHON_PACKAGES = [
    "huggingface_hub",
    "hf_xet",
    "fsspec",
    "yaml",
    "tqdm",
    "requests",
    "httpx*",
    "httpcore*",
    "anyio",
    "rich",
    "click",
]
PYTHON_PACKAGES += ["tkinter", "setuptools", "pip", "pytest", "mypy", "hypothesis", "IPython", "shiboken6_generator"]
"""Pulled in by `tokenizers` for downloads that the program never makes, and what only developers need."""


UNUSED = [
    "resources/window.png",
    "numpy/random/*",
    "numpy/fft/*",
    "*_multiarray_tests*",
    "*/_ssl.*",
    "*/_hashlib.*",
    "libssl*",
    "libcrypto*",
]
UNUSED += [
    "*.dist-info/licenses/*",
    "*.dist-info/RECORD",
    "*/readline.*",
    "libreadline*",
    "libtinfo*",
    "libncurses*",
    "*/_curses*",
    "*/_test*",
    "*/_xx*",
    "*/_tkinter*",
]
"""The program opens no connection of its own, so OpenSSL stays out; hashes come from Python's built-in code."""


QT_TRANSLATIONS = ("qtbase_zh_CN.qm",)
"""What Qt says itself, in the languages that the window speaks beside English."""


def keep(destination: str) -> bool:
    """Whether the file that would lie at `destination` (relative to the tree's library folder) is shipped."""
    path = PurePosixPath(destination.replace("\\", "/"))
    return not (
        _is_unused_qt(path)
        or _belongs_to_host(path)
        or _is_native_llama(path)
        or any(fnmatch(path.parts[0], package) for package in PYTHON_PACKAGES)
        or any(fnmatch(str(path), pattern) for pattern in UNUSED)
    )


def _is_unused_qt(path: PurePosixPath) -> bool:
    text = str(path)
    if path.name in QT_TRANSLATIONS:
        return False
    if "/translations/" in text or "/qml/" in text or "/metatypes/" in text or text.endswith(".pyi"):
        return True
    plugin = re.search(r"(?:^|/)plugins/(.+)", text)
    if plugin:
        return not any(fnmatch(plugin[1], pattern) for pattern in QT_PLUGINS)
    library = re.match(r"(?:lib)?Qt6([A-Za-z]+)\.(?:so|dll|dylib)", path.name)
    if library:
        return library[1] not in QT_LIBRARIES
    binding = re.match(r"(Qt[A-Za-z]+)\.(?:abi3\.so|pyd)$", path.name)
    return bool(binding) and "PySide6" in path.parts and binding[1] not in QT_MODULES


def _belongs_to_host(path: PurePosixPath) -> bool:
    return any(fnmatch(path.name, pattern) for pattern in HOST_LIBRARIES)


def _is_native_llama(path: PurePosixPath) -> bool:
    """The wheel carries each library six times; none of them is shipped."""
    inside = path.parts[:2] in {("llama_cpp", "lib"), ("llama_cpp", "include")} or path.parts[0] in {
        "lib",
        "include",
        "bin",
    }
    named = bool(re.match(r"(?:lib)?(?:llama|ggml|mtmd)[-.a-z0-9_]*\.(?:so|dll|dylib)", path.name))
    return inside or (named and "runtimes" not in path.parts)
