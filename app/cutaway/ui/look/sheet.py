"""The style sheet: what Fusion and a palette cannot say. No shadows, radius 6, one accent."""

from __future__ import annotations

from cutaway import places
from cutaway.ui.look.theme import RADIUS, Theme

_SHEET = """
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {line}; padding: 4px 8px; }}
QMainWindow, QDialog {{ background: {window}; }}
QMainWindow::separator {{ background: {line}; width: 1px; height: 1px; }}
QMainWindow::separator:hover {{ background: {accent}; }}
QSplitter::handle {{ background: {line}; }}

QPushButton {{
    background: {raised}; color: {text}; border: 1px solid {line}; border-radius: {radius}px; padding: 4px 12px;
}}
QPushButton:hover {{ border-color: {quiet}; }}
QPushButton:focus {{ border: 2px solid {accent}; padding: 3px 11px; }}
QPushButton:disabled {{ color: {faint}; }}
QPushButton[primary="true"] {{ background: {accent}; color: {on_accent}; border-color: {accent}; }}
QPushButton[primary="true"]:disabled {{ background: {line}; color: {quiet}; border-color: {line}; }}
QPushButton[primary="true"]:focus {{ border: 2px solid {text}; }}
QPushButton[link="true"] {{ background: transparent; border: none; color: {accent}; padding: 2px 4px; }}
QPushButton[link="true"]:hover {{ text-decoration: underline; }}

QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 3px 6px; }}
QToolButton:hover {{ background: {selected}; }}
QToolButton:focus {{ border-color: {accent}; }}
QToolButton:checked {{ background: {selected}; border-color: {line}; }}
QToolButton:disabled {{ color: {faint}; }}
QToolButton[flush="true"] {{ padding-left: 0; border-left: none; }}
QToolButton[fold="true"] {{ padding: 6px 2px; color: {quiet}; border-color: transparent; background: transparent; }}
QToolButton[fold="true"]:hover {{ color: {text}; }}
QToolButton[fold="true"]:focus {{ border-color: {accent}; }}
QToolButton::menu-indicator {{ image: none; }}

QLineEdit, QPlainTextEdit, QTextEdit, QComboBox {{
    background: {window}; color: {text}; border: 1px solid {line}; border-radius: {radius}px; padding: 4px 6px;
    selection-background-color: {accent}; selection-color: {on_accent};
}}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus {{
    border-color: {accent};
}}
QComboBox::drop-down {{ border: none; width: 20px; }}
QComboBox::down-arrow {{ image: url("{arrow}"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{ background: {window}; border: 1px solid {line}; outline: none; }}

QAbstractSpinBox {{
    background: {window}; color: {text}; border: 1px solid {line}; border-radius: {radius}px; padding: 4px 18px 4px 6px;
    selection-background-color: {accent}; selection-color: {on_accent};
}}
QAbstractSpinBox:focus {{ border-color: {accent}; }}
QAbstractSpinBox:disabled {{ color: {faint}; }}
QAbstractSpinBox::up-button {{
    subcontrol-origin: border; subcontrol-position: top right; width: 18px; border: none; background: transparent;
}}
QAbstractSpinBox::down-button {{
    subcontrol-origin: border; subcontrol-position: bottom right; width: 18px; border: none; background: transparent;
}}
QAbstractSpinBox::up-arrow {{ image: url("{up}"); width: 10px; height: 10px; }}
QAbstractSpinBox::down-arrow {{ image: url("{arrow}"); width: 10px; height: 10px; }}
QCheckBox::indicator, QAbstractItemView::indicator {{
    width: 14px; height: 14px; border: 1px solid {quiet}; border-radius: 3px; background: {window};
}}
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{
    background: {accent}; border-color: {accent}; image: url("{check}");
}}
QCheckBox::indicator:focus {{ border: 2px solid {accent}; width: 12px; height: 12px; }}
QCheckBox::indicator:checked:focus {{ border-color: {text}; }}
QCheckBox::indicator:disabled {{ border-color: {faint}; background: transparent; }}
QCheckBox:disabled {{ color: {faint}; }}

QTabWidget::pane {{ border: none; border-top: 1px solid {line}; }}
QTabBar {{ background: {side}; }}
QTabBar::tab {{
    background: transparent; color: {quiet}; border: none; border-bottom: 2px solid transparent; padding: 6px 9px;
}}
QMainWindow > QTabBar::tab {{ padding: 6px 3px; }}
QTabBar::tab:selected {{ color: {text}; border-bottom-color: {accent}; }}
QTabBar::tab:hover {{ color: {text}; }}
QTabBar::tab:focus {{ color: {text}; background: {selected}; }}

QDockWidget {{ color: {quiet}; }}
QDockWidget::title {{ background: {side}; padding: 8px 8px; border-bottom: 1px solid {line}; }}

QTreeView, QListView, QTableView {{
    background: {window}; border: none; outline: none; alternate-background-color: {raised};
    selection-background-color: {selected}; selection-color: {text};
}}
QTreeView::item, QListView::item {{ padding: 3px 4px; }}
QListView::item:selected, QTreeView::item:selected, QTableView::item:selected {{
    background: {selected}; color: {text};
}}
QHeaderView::section {{
    background: {side}; color: {quiet}; border: none; border-bottom: 1px solid {line}; padding: 4px 6px;
}}
QTableCornerButton::section {{ background: {side}; border: none; }}

QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QScrollBar:vertical {{ background: transparent; width: 11px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 11px; margin: 0; }}
QScrollBar::handle {{ background: {faint}; border-radius: 3px; margin: 3px; min-height: 28px; min-width: 28px; }}
QScrollBar::handle:hover {{ background: {quiet}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}

QMenuBar {{ background: {side}; color: {text}; }}
QMenuBar::item {{ padding: 4px 8px; background: transparent; }}
QMenuBar::item:selected {{ background: {selected}; }}
QMenu {{ background: {window}; border: 1px solid {line}; padding: 4px; }}
QMenu::item {{ padding: 5px 24px 5px 12px; border-radius: 4px; }}
QMenu::item:selected {{ background: {selected}; color: {text}; }}
QMenu::item:disabled {{ color: {faint}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 8px; }}

QProgressBar {{ background: {line}; border: none; border-radius: 2px; max-height: 4px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 2px; }}
QStatusBar {{ background: {side}; color: {quiet}; }}

#sidebar, #sidebar QListView {{ background: {side}; }}
#sidebar {{ border-right: 1px solid {line}; }}
#quiet, QLabel[quiet="true"] {{ color: {quiet}; }}
QLabel[error="true"] {{ color: {error}; }}
#composer {{ background: {raised}; border: 1px solid {line}; border-radius: {radius}px; }}
#composer[focused="true"] {{ border-color: {accent}; }}
#composer QPlainTextEdit {{ background: transparent; border: none; padding: 0; }}
#card {{ background: {raised}; border: 1px solid {line}; border-radius: {radius}px; }}
#sheet {{ background: {side}; border-left: 1px solid {line}; }}
#sheet QTableView, #sheet QScrollArea, #sheet QScrollArea > QWidget > QWidget#body {{ background: transparent; }}
#banner {{ background: {raised}; border-bottom: 1px solid {line}; }}
#bar {{ background: {side}; border-bottom: 1px solid {line}; }}
"""


def style_sheet(theme: Theme) -> str:
    return _SHEET.format(
        window=theme.window,
        side=theme.side,
        raised=theme.raised,
        line=theme.line,
        text=theme.text,
        quiet=theme.quiet,
        faint=theme.faint,
        accent=theme.accent,
        on_accent=theme.on_accent,
        selected=theme.selected,
        error=theme.error,
        radius=RADIUS,
        arrow=_icon(f"arrow-{theme.name}"),
        up=_icon(f"arrow-up-{theme.name}"),
        check=_icon(f"check-{theme.name}"),
    )


def _icon(name: str) -> str:
    return (places.resources() / "icons" / f"{name}.svg").as_posix()
