"""What the application tree keeps and leaves out."""

from __future__ import annotations

import pytest

from prune import keep

KEPT = [
    "PySide6/Qt/lib/libQt6Core.so.6",
    "PySide6/Qt/lib/libQt6OpenGL.so.6",
    "PySide6/Qt/lib/libicudata.so.73",
    "PySide6/QtWidgets.abi3.so",
    "PySide6/Qt/plugins/platforms/libqxcb.so",
    "PySide6/Qt/plugins/platforms/libqoffscreen.so",
    "PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so",
    "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
    "libxcb-cursor.so.0",
    "libxcb-icccm.so.4",
    "libxkbcommon-x11.so.0",
    "numpy.libs/libscipy_openblas64_-fdde5778.so",
    "tokenizers/tokenizers.abi3.so",
    "llama_cpp/py.typed",
    "PySide6/Qt/translations/qtbase_zh_CN.qm",
    "resources/icons/cutaway.svg",
    "libpython3.11.so.1.0",
    "lib-dynload/_sqlite3.cpython-311-x86_64-linux-gnu.so",
]
DROPPED = [
    "PySide6/Qt/lib/libQt6WebEngineCore.so.6",
    "PySide6/Qt/lib/libQt6Quick.so.6",
    "PySide6/QtQml.abi3.so",
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
    "PySide6/Qt/plugins/sqldrivers/libqsqlite.so",
    "PySide6/Qt/qml/QtQuick/libqtquick2plugin.so",
    "PySide6/Qt/translations/qtbase_de.qm",
    "libstdc++.so.6",
    "libX11.so.6",
    "libxcb.so.1",
    "libglib-2.0.so.0",
    "libwayland-client.so.0",
    "llama_cpp/lib/libllama.so",
    "lib/libggml.so.0",
    "libggml-base.so.0",
    "libllama.so",
    "huggingface_hub/__init__.py",
    "hf_xet/hf_xet.abi3.so",
    "PySide6/Qt/lib/libQt6Network.so.6",
    "python3.11/lib-dynload/_ssl.cpython-311-x86_64-linux-gnu.so",
    "libcrypto.so.3",
    "numpy/random/mtrand.cpython-311-x86_64-linux-gnu.so",
    "libpixman-1.so.0",
]


@pytest.mark.parametrize("path", KEPT)
def test_what_the_program_needs_is_kept(path: str) -> None:
    assert keep(path)


@pytest.mark.parametrize("path", DROPPED)
def test_what_is_the_hosts_or_unused_is_left_out(path: str) -> None:
    assert not keep(path)


def test_windows_paths_mean_the_same() -> None:
    assert not keep("PySide6\\translations\\x\\..\\qml\\a.dll".replace("x\\..\\", ""))
    assert keep("PySide6\\plugins\\platforms\\qwindows.dll")
