"""What the program says, in the person's language, switched without a restart.

`tr` gives the sentence now; `say` sets a widget's text now and again whenever the language changes.
The translations are Qt Linguist sources (`resources/translations/*.ts`), read at run time.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import shiboken6
from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

from cutaway import places

if TYPE_CHECKING:
    from PySide6.QtWidgets import QComboBox

LANGUAGES = {"en": "English", "zh_CN": "简体中文"}


class _Changed(QObject):
    language = Signal()


changed = _Changed()
_table: dict[str, str] = {}
_current = ["en"]


def language() -> str:
    return _current[0]


def choose(code: str) -> None:
    """Speak this language from now on; an unknown one is English."""
    _current[0] = code if code in LANGUAGES else "en"
    _table.clear()
    _table.update(read_table("cutaway", _current[0]))
    _let_qt_speak(_current[0])
    _said[:] = [said for said in _said if said.again()]
    changed.language.emit()


def of_system() -> str:
    """The first of the languages that the person's system asks for that we speak; else English."""
    for wanted in QLocale.system().uiLanguages():
        if wanted.startswith("zh") and "Hant" not in wanted and not wanted.endswith(("TW", "HK", "MO")):
            return "zh_CN"
        if wanted.startswith("en"):
            return "en"
    return "en"


def tr(text: str, *values: object) -> str:
    """The text in the language in force; `{0}`, `{1}`, ... stand for the values."""
    said = _table.get(text) or text
    return said.format(*values) if values else said


def say(target: object, setter: str, text: str, *values: object) -> None:
    """Call `target.setter(tr(text, *values))` now and on every change of language, while target lives."""
    said = _Said(weakref.ref(target), setter, text, values)
    said.again()
    _said.append(said)
    if len(_said) % 512 == 0:
        _sweep()


def choices(box: QComboBox, texts: Sequence[str]) -> None:
    """Fill a box with translated texts now, and name them anew whenever the language changes."""
    box.addItems([tr(text) for text in texts])
    reference = weakref.ref(box)

    def again() -> None:
        there = reference()
        if there is not None and shiboken6.isValid(there):
            for index, text in enumerate(texts[: there.count()]):
                there.setItemText(index, tr(text))

    changed.language.connect(again)


_qt: list[QTranslator] = []
"""Qt's own words, in its dialogs and its menus of text fields; at most one."""


def _let_qt_speak(code: str) -> None:
    application = QCoreApplication.instance()
    if application is None:
        return
    while _qt:
        application.removeTranslator(_qt.pop())
    translator = QTranslator(application)
    if code != "en" and translator.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(translator)
        _qt.append(translator)


@dataclass(frozen=True, slots=True)
class _Said:
    target: weakref.ref[object]
    setter: str
    text: str
    values: tuple[object, ...]

    def again(self) -> bool:
        """Whether the target still lives."""
        there = self.target()
        if there is None:
            return False
        try:
            getattr(there, self.setter)(tr(self.text, *self.values))
        except RuntimeError:  # Qt deleted the widget before Python let go of it.
            return False
        return True


_said: list[_Said] = []


def _sweep() -> None:
    _said[:] = [said for said in _said if said.target() is not None]


def read_table(name: str, code: str) -> dict[str, str]:
    """Source and translation, of the file `name` for a language; empty for English."""
    path = places.resources() / "translations" / f"{name}_{code}.ts"
    if code == "en" or not path.is_file():
        return {}
    found: dict[str, str] = {}
    for message in ElementTree.parse(path).iter("message"):
        source, translation = message.findtext("source"), message.find("translation")
        if source and translation is not None and translation.text and translation.get("type") != "unfinished":
            found[source] = translation.text
    return found
