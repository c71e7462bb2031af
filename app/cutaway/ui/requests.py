"""What the person asks of the window, by the name of a command or of an action on a message."""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QInputDialog, QMessageBox

from cutaway import places
from cutaway.ui import logs, words
from cutaway.ui.banner import Action
from cutaway.ui.conversation.editor_card import BORDER
from cutaway.ui.files import Files
from cutaway.ui.look.style import look
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.ui.window import MainWindow
    from cutaway.workbench.change import Problem
    from cutaway.workbench.exchanging import Rerun

log = logging.getLogger(__name__)


def rerun_words(rerun: Rerun) -> str:
    """What came of a turn that was made again, in sentences."""
    if rerun.same:
        return tr("Made again: the same {0} tokens.", f"{len(rerun.turn.tokens):,}")
    assert rerun.first_difference is not None
    words = [tr("Made again: the tokens differ from the first on.")]
    if rerun.first_difference:
        words = [tr("Made again: the first {0} tokens are the same.", f"{rerun.first_difference:,}")]
    end = tr("the end")
    before, after = (f"“{text}”" if text else end for text in (rerun.before, rerun.after))
    words.append(tr("Then came {0}, now {1}.", before, after))
    if rerun.other_model:
        words.append(tr("It was made with another model file: {0}.", rerun.other_model))
    elif rerun.prompt_differs:
        words.append(tr("The prompt's own tokens differ already: another vocabulary or template."))
    return " ".join(words)


class Requests:
    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.files = Files(window)

    # -- Commands -------------------------------------------------------------------------------

    def call(self, name: str) -> None:
        area, _, rest = name.partition(".")
        if area == "pane":
            self.window.docks.show_pane(rest)
            self.window._check_toggles()
            return
        if area == "layout" and rest != "save":
            self._layout(rest)
            return
        if area == "message":
            self._message(rest)
            return
        method = getattr(self, "_" + name.replace(".", "_"), None)
        if method is not None:
            method()

    def _message(self, what: str) -> None:
        view = self.window.view
        if what in ("up", "down"):
            view.setFocus()
            view.step(-1 if what == "up" else 1)
            return
        node = view.current or (self.window.desk.nodes[-1].id if self.window.desk.nodes else "")
        if node:
            self.of_message(what, node, "")

    def _conversation_new(self) -> None:
        self.window.desk.start(self.window.desk.new_conversation())

    def _model_open(self) -> None:
        self.files.open_model()

    def _model_load(self) -> None:
        from cutaway.ui.opening.dialog import ModelDialog

        ModelDialog(self.window).open()

    def _model_unload(self) -> None:
        self.window.desk.start(self.window.desk.bench.unload())

    def _conversation_import(self) -> None:
        self.files.import_conversations()

    def _conversation_export(self, conversation: str = "") -> None:
        conversation = conversation or self.window.desk.conversation
        if conversation:
            self.files.export_conversation(conversation, self._title(conversation))

    def _turn_export(self) -> None:
        self.files.export_turn()

    def _turn_again(self) -> None:
        self.window.desk.start(self._rerun())

    async def _rerun(self) -> None:
        desk = self.window.desk
        old = desk.shown
        rerun = await desk.rerun()
        first = (tr("Show the first turn"), lambda: desk.start(desk.show(old)))
        self.window.notice.tell(rerun_words(rerun), first)

    def _turn_open(self) -> None:
        self.files.open_turn()

    def _settings(self) -> None:
        from cutaway.ui.settings import SettingsDialog

        SettingsDialog(self.window).open()

    def _conversation_map(self) -> None:
        self.window.sheets.toggle_map()

    def _composer_begin(self) -> None:
        self.window.composer.begins.open()

    def go_to(self, node: str) -> None:
        """Show a message, on whichever branch it is."""
        self.window.desk.start(self._go_to(node))

    async def _go_to(self, node: str) -> None:
        await self.window.desk.go_to(node)
        self.window.view.set_current(node)

    def _conversation_steering(self) -> None:
        self.window.sheets.toggle_steering()

    def _completion(self) -> None:
        self.window.pages.toggle_completion()

    def _quit(self) -> None:
        self.window.close()

    def _undo(self) -> None:
        self.window.notice.clear()
        self.window.desk.start(self.window.desk.undo())

    def _version_back(self) -> None:
        self._message("back")

    def _version_forth(self) -> None:
        self._message("forth")

    def _answer_now(self) -> None:
        self.window.desk.start(self.window.desk.bench.answer_now(self.window.desk.conversation))

    def _stop(self) -> None:
        self.window.desk.start(self.window.desk.stop())

    def _composer_focus(self) -> None:
        self.window.composer.text.setFocus()

    def _search(self) -> None:
        self.window.sidebar.show()
        self.window.sidebar.search.setFocus()
        self.window._check_toggles()

    def _conversation_end(self) -> None:
        self.window.view.scroll_to_end()

    def _view_sidebar(self) -> None:
        self.window.sidebar.setVisible(self.window.sidebar.isHidden())
        self.window._check_toggles()

    def _view_inspector(self) -> None:
        self.window.set_inspector(not self.window.docks.is_open())

    def _layout(self, name: str) -> None:
        if self.window.docks.apply(name):
            from cutaway.ui.layouts import PRESETS

            self.window.sidebar.setVisible(PRESETS[name].sidebar)
        else:
            saved = self.window.remembered.get("layouts", {})
            if name in saved:
                self.window.docks.restore(saved[name])
        self.window._check_toggles()

    def _layout_save(self) -> None:
        name, given = QInputDialog.getText(self.window, tr("Save this layout"), tr("Its name"))
        if given and name.strip():
            saved = dict(self.window.remembered.get("layouts", {}))
            saved[name.strip()] = self.window.docks.state()
            self.window.remembered.set("layouts", saved)
            self.window.add_layouts()

    def _theme_next(self) -> None:
        self.set_theme("light" if look.theme.dark else "dark")

    def set_theme(self, choice: str) -> None:
        look.choose(choice, look.text_size)
        self.window.remembered.set("theme", choice)

    def _language_next(self) -> None:
        self.set_language("en" if words.language() != "en" else "zh_CN")

    def set_language(self, code: str) -> None:
        words.choose(code)
        self.window.remembered.set("language", code)

    def _palette(self) -> None:
        from cutaway.ui.palette import Palette

        Palette(list(self.window.actions_.by_name.values()), self.window).open_over(self.window)

    def _shortcuts(self) -> None:
        from cutaway.ui.settings import SettingsDialog

        dialog = SettingsDialog(self.window)
        dialog.open()
        dialog.look_for(tr("Keyboard shortcuts"))

    def _about(self) -> None:
        from cutaway.ui.about import show_about

        show_about(self.window)

    def _log_copy(self) -> None:
        QGuiApplication.clipboard().setText(logs.diagnostics())
        self.window.tell(tr("Copied: versions and the system, nothing of a conversation."))

    def _data_show(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(places.data())))
        self.window.tell(str(places.data()))

    # -- Conversations --------------------------------------------------------------------------

    def of_conversation(self, action: str, conversation: str) -> None:
        desk = self.window.desk
        if action == "new":
            desk.start(desk.new_conversation())
        elif action == "undo":
            self.call("undo")
        elif action == "rename":
            self._rename(conversation)
        elif action in ("pin", "unpin"):
            desk.start(desk.bench.pin(conversation, action == "pin"))
        elif action == "shelf":
            desk.start(desk.show_shelf(not desk.archived))
        elif action in ("archive", "unarchive"):
            desk.start(desk.bench.archive(conversation, action == "archive"))
        elif action == "delete":
            desk.start(desk.delete_conversation(conversation))
        elif action == "export":
            self._conversation_export(conversation)

    def _title(self, conversation: str) -> str:
        model = self.window.sidebar.model
        return str(model.index(model.row_of(conversation)).data() or "")

    def _rename(self, conversation: str) -> None:
        old = self._title(conversation)
        title, given = QInputDialog.getText(self.window, tr("Rename"), tr("Title"), text=old)
        if given and title.strip():
            self.window.desk.start(self.window.desk.bench.rename(conversation, title.strip()))

    # -- Messages -------------------------------------------------------------------------------

    def of_message(self, action: str, node: str, detail: str) -> None:
        desk, view = self.window.desk, self.window.view
        if action == "copy":
            self._copy(node)
        elif action == "edit":
            view.edit(node)
        elif action in ("save", "save-run", "save-go-on", "save-keep"):
            view.end_edit()
            text, border, thought = detail.partition(BORDER)
            desk.start(desk.save_edit(node, text, action.removeprefix("save-"), thought if border else None))
        elif action == "again":
            desk.start(desk.regenerate(node))
        elif action == "continue":
            desk.start(desk.continue_(node))
        elif action == "branch":
            desk.start(desk.branch_at(node))
        elif action == "fork":
            desk.start(desk.fork(node))
        elif action == "delete":
            desk.start(desk.delete_message(node))
        elif action in ("back", "forth"):
            desk.start(desk.step_version(node, -1 if action == "back" else 1))
        elif action in ("hover", "unhover"):
            desk.ask_forecast("", node if action == "hover" else None)
        elif action == "link":
            self._open_link(detail)
        elif action == "answer-now":
            desk.start(desk.bench.answer_now(desk.conversation))
        elif action == "answer-call":
            self._answer_call(node, detail)

    def _copy(self, node: str) -> None:
        found = next((other for other in self.window.desk.nodes if other.id == node), None)
        if found is not None:
            QGuiApplication.clipboard().setText(found.message.text)
            self.window.tell(tr("Copied."))

    def _open_link(self, link: str) -> None:
        """Nothing opens without being asked for, and the whole address is shown before."""
        box = QMessageBox(self.window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(tr("Open this link in the browser?"))
        box.setInformativeText(link)
        box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)

        def done(result: int) -> None:
            url = QUrl(link)
            if result == QMessageBox.StandardButton.Open and url.scheme() in ("http", "https", "mailto"):
                QDesktopServices.openUrl(url)

        box.finished.connect(done)
        box.open()

    def _answer_call(self, node: str, detail: str) -> None:
        what, call_id, text = detail.split("\n", 2)
        bench = self.window.desk.bench
        if what in ("result", "error"):
            self.window.desk.start(bench.respond_to_call(node, call_id, text, error=what == "error"))
        elif what == "arguments":
            self.window.desk.start(bench.edit_call(node, call_id, text))
        else:
            self.window.desk.start(bench.approve_call(node, call_id, what))  # type: ignore[arg-type]

    # -- Models and problems ----------------------------------------------------------------------

    def fill_model_menu(self) -> None:
        menu = self.window.topbar.menu
        menu.clear()
        menu.addAction(self.window.actions_.by_name["model.open"])
        menu.addAction(self.window.actions_.by_name["model.load"])
        menu.addAction(self.window.actions_.by_name["model.unload"])
        menu.addSeparator()
        self.window.desk.start(self._list_models())

    async def _list_models(self) -> None:
        from cutaway.ui.opening.dialog import about_model

        menu = self.window.topbar.menu
        for model in (await self.window.desk.bench.known_models())[:40]:
            action = menu.addAction(f"{model.name} · {about_model(model)}")
            action.triggered.connect(lambda _=False, path=model.path: self.files.open_paths([path]))

    def ways_out(self, problem: Problem) -> list[Action]:
        desk = self.window.desk
        if problem.action == "choose-model":
            return [(tr("Choose a model …"), lambda: self.call("model.load"))]
        if problem.action == "go-on":
            return [(tr("Let it go on"), lambda: desk.start(desk.go_on(problem.conversation)))]
        if problem.action == "show-template":
            return [(tr("Show the template"), lambda: self.call("pane.template"))]
        if problem.action == "open-log":
            return [(tr("Copy diagnostics"), lambda: self.call("log.copy"))]
        if problem.action == "safer-settings":
            return [
                (text, lambda safely=safely: desk.start(desk.bench.load_again(safely=safely)))  # type: ignore[misc]
                for safely, text in ((True, tr("Load with safer settings")), (False, tr("Load as before")))
            ]
        if problem.action == "overflow":
            return [
                (text, lambda remedy=remedy: desk.start(desk.resolve_overflow(remedy)))  # type: ignore[misc]
                for remedy, text in (
                    ("drop", tr("Leave out old messages")),
                    ("shorten", tr("Shorten")),
                    ("raise", tr("Larger context")),
                    ("stop", tr("Don't send")),
                )
            ]
        return []

    def say_error(self, error: BaseException, words_: str) -> None:
        told = "".join(traceback.format_exception(error))
        copy: list[Action] = []
        if not type(error).__module__.startswith("cutaway.") and not isinstance(error, OSError):
            log.error("%s", told)
            copy = [(tr("Copy the error"), lambda: QGuiApplication.clipboard().setText(logs.diagnostics(told)))]
        self.window.notice.tell(words_, *copy, error=True)
