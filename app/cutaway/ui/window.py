"""The main window: conversations · conversation · inspector. It shows what the desk gives it and passes on what is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QEvent, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui.actions import MENUS, Actions
from cutaway.ui.banner import Banner
from cutaway.ui.beat import Beat
from cutaway.ui.conversation.composer import Composer
from cutaway.ui.conversation.sidebar import Sidebar
from cutaway.ui.conversation.view import ConversationView
from cutaway.ui.desk import Desk, sentence
from cutaway.ui.docks import Docks
from cutaway.ui.linking import Linking
from cutaway.ui.look.icons import application_icon
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import DRAWER_BELOW, INSPECTOR_WIDTH, SIDEBAR_WIDTH
from cutaway.ui.notification import Notification
from cutaway.ui.overflow_bar import OverflowBar
from cutaway.ui.pages import Pages
from cutaway.ui.pane import Context
from cutaway.ui.quick_steering import QuickSteering
from cutaway.ui.remembered import Remembered
from cutaway.ui.requests import Requests
from cutaway.ui.selection import Selected, Selection
from cutaway.ui.sheets import Sheets
from cutaway.ui.start_page import StartPage
from cutaway.ui.topbar import TopBar
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.workbench.change import Aspect, Change, ModelChanged, Problem
    from cutaway.workbench.forecast import Forecast
    from cutaway.workbench.library import Hit
    from cutaway.workbench.turn import ConversationInfo, Node, Turn


class MainWindow(QMainWindow):
    def __init__(self, remembered: Remembered) -> None:
        super().__init__()
        self.remembered = remembered
        self.first_paint: Callable[[], None] | None = None
        self.setWindowTitle("Cutaway")
        self.setWindowIcon(application_icon())
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.selected = Selected(self)
        self.beat = Beat(self)
        self.desk = Desk(self, self.beat)
        self.requests = Requests(self)
        self.notification = Notification(self)
        self.actions_ = Actions(self, self.requests.call, remembered.get("shortcuts", {}))
        self._build()
        context = Context(
            opened=lambda: self.desk.bench,
            is_open=lambda: self.desk.opened.is_set(),
            selected=self.selected,
            turns=self.desk.branch_turns,
            show_turn=self.desk.show_turn_by_id,
            go_to=lambda selection: self.linking.go_to(selection),
            do=self.requests.call,
            favour=self.desk.favour,
            start=self.desk.start,
            tell=self.tell,
        )
        self.context = context
        self.docks = Docks(self, context)
        self.linking = Linking(self.desk, self.view, self.selected)
        self._connect()
        self._narrow = False
        self._waiting: dict[str, frozenset[Aspect]] = {}
        """What grew since each visible pane was last told."""
        self._growing: Turn | None = None
        self._closed: Callable[[], Coroutine[Any, Any, None]] | None = None
        self.topbar.set_model("")
        self.actions_.by_name["model.unload"].setEnabled(False)
        self.show_branch([], {}, fresh=True)
        self._restore()
        self.add_layouts()

    # -- Building -------------------------------------------------------------------------------

    def _build(self) -> None:
        self.menus: dict[str, QMenu] = {}
        self._layouts: set[str] = set()
        for name in MENUS:
            menu = self.menus[name] = self.menuBar().addMenu(name)
            self.actions_.fill(menu, name)
            say(menu, "setTitle", name)
        self.recent = QMenu(self)
        say(self.recent, "setTitle", "Recent models")
        self.recent.aboutToShow.connect(self.requests.files.fill_recent)
        self.menus["File"].insertMenu(self.actions_.by_name["conversation.import"], self.recent)
        self.sidebar = Sidebar()
        self.topbar = TopBar(self.actions_.by_name)
        self.banner, self.notice = Banner(), Banner()
        self.view = ConversationView()
        self.composer = Composer()
        self.overflow = OverflowBar()
        self.empty = StartPage(self.requests.call)
        self.pages = Pages(self, self.empty, self.view)
        self.quick = QuickSteering(self)
        self.composer.more.setMenu(self.quick.menu)
        self.sheets = Sheets(self)
        self.steering = self.sheets.steering
        column = QWidget()
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.topbar, self.banner, self.notice):
            layout.addWidget(widget)
        layout.addWidget(self.pages, 1)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self.overflow, 1000)
        middle.addStretch(1)
        layout.addLayout(middle)
        layout.addWidget(self.composer)
        column.setMinimumWidth(240)
        beside = QWidget()
        across = QHBoxLayout(beside)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(column, 1)
        self.across = across
        across.addWidget(self.steering)
        self.split = QSplitter()
        self.split.setHandleWidth(1)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.sidebar)
        self.split.addWidget(beside)
        self.split.setStretchFactor(1, 1)
        self.sidebar.setMinimumWidth(160)
        self.setCentralWidget(self.split)

    def _connect(self) -> None:
        desk, requests = self.desk, self.requests
        self.composer.sent.connect(lambda text: desk.start(desk.send(text)))
        self.composer.stopped.connect(lambda: desk.start(desk.stop()))
        self.composer.typed.connect(lambda: desk.typed(self.draft()))
        self.composer.branch.left.connect(lambda: desk.start(desk.leave_branch()))
        self.overflow.chosen.connect(lambda remedy: desk.start(desk.resolve_overflow(remedy)))
        self.sidebar.opened.connect(lambda c, node: desk.start(desk.open_conversation(c, node)))
        self.sidebar.searched.connect(lambda words: desk.start(desk.search(words)))
        self.sidebar.asked.connect(requests.of_conversation)
        self.view.acted.connect(requests.of_message)
        self.view.chosen.connect(lambda node: self.linking.choose_message(node))
        self.topbar.model_pressed.connect(requests.fill_model_menu)
        self.selected.changed.connect(self._select)
        self.selected.pointed.connect(self._point)

    def _restore(self) -> None:
        geometry = self.remembered.get("geometry", "")
        if not geometry or not self.restoreGeometry(QByteArray.fromBase64(QByteArray(geometry.encode()))):
            screen = self.screen().availableSize()
            self.resize(min(1360, screen.width()), min(860, screen.height()))
        self.split.setSizes([SIDEBAR_WIDTH, max(self.width() - SIDEBAR_WIDTH - INSPECTOR_WIDTH, 240)])
        state = self.remembered.get("docks", "")
        if state:
            self.docks.restore(state)
        self.sidebar.setVisible(self.remembered.get("sidebar", True))
        self._check_toggles()

    def remember(self) -> None:
        self.remembered.set("geometry", bytes(self.saveGeometry().toBase64().data()).decode("ascii"))
        if not self._narrow:
            self.remembered.set("docks", self.docks.state())
            self.remembered.set("sidebar", not self.sidebar.isHidden())
        self.remembered.set("conversation", self.desk.conversation)

    # -- Views (desk.Views) ---------------------------------------------------------------------

    def show_conversations(self, rows: Sequence[ConversationInfo | Hit], chosen: str, title: str) -> None:
        self.sidebar.show_rows(list(rows), chosen)
        if not self.pages.completing:
            self.topbar.set_title(title)
        self.setWindowTitle(f"{title} — Cutaway" if title else "Cutaway")

    def show_branch(self, nodes: list[Node], turns: dict[str, Turn], *, fresh: bool) -> None:
        if fresh or not self.pages.completing:
            self.pages.show_conversation(bool(nodes))
        self.view.calls = self.desk.calls
        self.view.show_nodes(nodes, turns, fresh=fresh)
        self.beat.ask("map", self.sheets.refresh_map)
        if fresh:
            self.topbar.set_title("")

    def show_branch_end(self, ended: bool) -> None:
        self.composer.branch.setVisible(ended)
        if ended:
            self.composer.text.setFocus()

    def beginning(self) -> tuple[str, str]:
        return self.composer.begins.words()

    def grow_message(self, node: str, turn: Turn) -> None:
        if node:
            self.view.grow(node, turn)
        elif self.pages.completion is not None:
            self.pages.completion.grow(turn)

    def begin_completion(self, turn: Turn | None) -> None:
        if self.pages.completion is not None:
            self.pages.completion.begin(turn)

    def show_turn(self, turn: Turn | None, node: str) -> None:
        self.selected.choose(None)
        if node and node != self.view.current:
            self.view.set_current(node, reveal=False)
        for slot in self.docks.slots.values():
            slot.show_turn(turn)

    def grow_turn(self, turn: Turn, what: frozenset[Aspect]) -> None:
        for name, slot in self.docks.slots.items():
            if slot.isVisible():
                self.beat.ask(f"pane:{name}", lambda slot=slot: self._grow_slot(slot.name))  # type: ignore[misc]
            self._waiting[name] = self._waiting.get(name, frozenset()) | what
        self._growing = turn

    def _grow_slot(self, name: str) -> None:
        what = self._waiting.pop(name, frozenset())
        if self._growing is not None:
            self.docks.slots[name].grow(self._growing, what)

    def show_model(self, model: ModelChanged) -> None:
        name = model.facts.name if model.facts is not None else Path(model.path).stem
        shown = name if model.state in ("ready", "loading") or (model.state == "none" and model.path) else ""
        self.topbar.set_model(shown)
        self.composer.set_model(shown)
        self.empty.show_model(there=bool(shown))
        if model.state == "loading":
            words = tr("Loading {0} …", name)
            stop = (tr("Cancel"), lambda: self.desk.start(self.desk.bench.cancel_load()))
            self.banner.show_progress(words, model.fraction, stop)
        elif model.state == "failed" and not model.cancelled:
            other = (tr("Choose another model …"), lambda: self.requests.call("model.load"))
            self.banner.tell(model.message, other, error=True)
        else:
            self.banner.clear()
        self.actions_.by_name["model.unload"].setEnabled(model.state == "ready")
        if model.state == "ready":
            self.requests.files.keep_recent(model.path)

    def show_forecast(self, forecast: Forecast | None) -> None:
        self.composer.set_forecast(forecast)
        self.overflow.show_plan(forecast.overflow if forecast is not None and not self.pages.completing else None)

    def show_running(self, running: bool) -> None:
        self.notification.show_running(running)
        self.composer.set_running(running)
        self.actions_.by_name["stop"].setEnabled(running)
        self.actions_.by_name["answer.now"].setEnabled(running)
        self.view.set_busy(running)

    def show_problem(self, problem: Problem) -> None:
        self.notice.tell(" ".join(filter(None, (problem.sentence, problem.advice))), *self.requests.ways_out(problem),
                         error=True)  # fmt: skip

    def take_draft(self) -> str:
        text = self.draft()
        self.composer.text.clear()
        return text

    def show_draft(self, text: str) -> None:
        self.composer.set_text(text)
        self.composer.text.setFocus()

    def draft(self) -> str:
        return self.composer.text.toPlainText()

    def follow(self, change: Change) -> None:
        for slot in self.docks.slots.values():
            slot.follow(change)
        self.steering.refresh()

    def show_shelf(self, archived: bool) -> None:
        self.sidebar.show_shelf(archived)

    def offer_undo(self, offer: bool) -> None:
        self.sidebar.offer_undo(offer)
        if offer:
            undo = (tr("Undo"), lambda: self.requests.call("undo"))
            self.notice.tell(tr("Deleted."), undo, seconds=12)

    def broke(self, error: BaseException) -> None:
        """Say what happened. An unforeseen error goes to the log as well, with a button to copy it."""
        self.requests.say_error(error, sentence(error))

    def tell(self, words: str) -> None:
        self.notice.tell(words, seconds=6)

    def add_layouts(self) -> None:
        """The saved layouts, at the end of the View menu."""
        for name in self.remembered.get("layouts", {}):
            if name not in self._layouts:
                action = self.menus["View"].addAction(name)
                action.triggered.connect(lambda _=False, name=name: self.requests.call(f"layout.{name}"))
                self._layouts.add(name)

    def open_template(self, path: str) -> None:
        """Show a template in its pane, without any model."""
        self.docks.show_pane("template")
        self._check_toggles()
        self.desk.start(self._open_template(path))

    async def _open_template(self, path: str) -> None:
        await self.desk.opened.wait()
        slot = self.docks.slots["template"]
        while slot.pane is None and slot.failed is None:
            await asyncio.sleep(0.01)
        if slot.pane is not None:
            await slot.pane.open(path)

    # -- Selection ------------------------------------------------------------------------------

    def _select(self, selection: Selection | None) -> None:
        for slot in self.docks.slots.values():
            slot.select(selection)
        self.linking.follow(selection)

    def _point(self, selection: Selection | None) -> None:
        for slot in self.docks.slots.values():
            slot.point(selection)

    # -- Qt's events ----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.first_paint is not None:
            call, self.first_paint = self.first_paint, None
            call()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < DRAWER_BELOW
        if narrow != self._narrow and hasattr(self, "docks"):
            self._narrow = narrow
            self._enter_drawer(narrow)
        if hasattr(self, "docks") and event.oldSize().width() != self.width():
            self.sheets.make_room()

    def _enter_drawer(self, narrow: bool) -> None:
        """In a narrow window the conversation has all the room; the rest comes when it is called."""
        if narrow:
            self._wide_state = (self.docks.state(), not self.sidebar.isHidden())
            self.docks.set_open(False)
            self.sidebar.hide()
        else:
            state, sidebar = self._wide_state
            self.docks.restore(state)
            self.sidebar.setVisible(sidebar)
        self._check_toggles()

    def set_inspector(self, is_open: bool) -> None:
        self.docks.set_open(is_open)
        if is_open and self._narrow:
            self.sidebar.hide()
        self._check_toggles()

    def _check_toggles(self) -> None:
        self.actions_.by_name["view.sidebar"].setChecked(not self.sidebar.isHidden())
        self.actions_.by_name["view.inspector"].setChecked(self.docks.is_open())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self.notification.seen()
        if event.type() is QEvent.Type.ThemeChange and look.choice == "system":
            look.choose("system", look.text_size)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.requests.files.open_paths([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])

    def raise_up(self) -> None:
        """Come to the front: a second start asks for it."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def on_close(self, call: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._closed = call

    def closeEvent(self, event: QCloseEvent) -> None:
        self.remember()
        self.beat.stop()
        if self._closed is not None:
            call, self._closed = self._closed, None
            event.accept()
            task = asyncio.ensure_future(call())
            self._closing = task
