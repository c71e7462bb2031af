"""After the program was killed: what the window offers."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from cutaway.ui.drive import Driver
from cutaway.workbench.change import Problem
from support.window import Journey


def test_safer_settings_are_offered_with_a_button(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        problem = Problem("The program ended.", action="safer-settings")
        assert [title for title, _ in drive.window.requests.ways_out(problem)] == [
            "Load with safer settings",
            "Load as before",
        ]
        drive.window.show_problem(problem)
        assert any("The program ended." in label.text() for label in drive.window.notice.findChildren(QLabel))

    journey(story)
