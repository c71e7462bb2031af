"""The files that a desktop reads are valid, and agree with one another and with the program."""

from __future__ import annotations

import configparser
import plistlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import collect
import deb
import tree
from cutaway import __version__

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging" / "linux"
ID = "io.github.cutaway.Cutaway"


def checked_by(program: str, *arguments: str) -> str:
    assert shutil.which(program), f"{program} is missing; `python3 packaging/start.py test` installs it"
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_desktop_file_is_valid() -> None:
    checked_by("desktop-file-validate", str(LINUX / f"{ID}.desktop"))


def test_the_appstream_file_is_valid() -> None:
    checked_by("appstreamcli", "validate", "--no-net", str(LINUX / f"{ID}.metainfo.xml"))


def test_the_mime_type_is_the_one_that_the_desktop_file_opens() -> None:
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    kind = ElementTree.parse(LINUX / "cutaway-mime.xml").getroot().find("m:mime-type", space)
    assert kind is not None
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.read(LINUX / f"{ID}.desktop", encoding="utf-8")
    assert desktop["Desktop Entry"]["MimeType"] == f"{kind.get('type')};"
    assert desktop["Desktop Entry"]["StartupWMClass"] == ID


def test_the_newest_release_is_this_version() -> None:
    release = ElementTree.parse(LINUX / f"{ID}.metainfo.xml").getroot().find("releases/release")
    assert release is not None
    assert release.get("version") == __version__
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_a_control_file_has_what_dpkg_wants() -> None:
    text = deb.control("cutaway", "amd64", 1000, Depends=deb.DEPENDS, Description="x\n y")
    fields = dict(re.findall(r"^([A-Z][A-Za-z-]+): (.*)$", text, re.MULTILINE))
    assert {"Package", "Version", "Architecture", "Maintainer", "Depends", "Description"} <= fields.keys()
    assert fields["Version"] == __version__


def test_every_shipped_package_brings_its_licence() -> None:
    notices = collect.collect()
    for name in ("PySide6_Essentials", "llama_cpp_python", "Jinja2", "tokenizers", "qasync", "numpy"):
        assert re.search(rf"^{name} [0-9]", notices, re.MULTILINE | re.IGNORECASE), name
    assert "LGPL" in notices


def test_the_icon_is_drawn_from_its_vector_form(tmp_path: Path) -> None:
    drawn = tree.draw_icon(tmp_path / "cutaway.png", 64)
    assert drawn.read_bytes().startswith(b"\x89PNG")
    assert len(drawn.read_bytes()) > 500


def test_the_workflows_follow_their_schema() -> None:
    workflows = [str(path) for path in (ROOT / ".github" / "workflows").glob("*.yml")]
    assert workflows
    program = str(Path(sys.executable).with_name("check-jsonschema"))
    done = subprocess.run(
        [program, "--builtin-schema", "vendor.github-workflows", *workflows],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_mac_script_is_sound_shell_and_its_property_lists_are_read() -> None:
    mac = ROOT / "packaging" / "macos"
    checked_by("bash", "-n", str(mac / "build.sh"))
    for name in ("Info.plist.in", "entitlements.plist"):
        assert plistlib.loads((mac / name).read_bytes())


def test_the_windows_installer_is_of_this_version() -> None:
    text = (ROOT / "packaging" / "windows" / "installer.iss").read_text(encoding="utf-8")
    assert f'#define Version "{__version__}"' in text
