"""Which devices there are, and what to type when a card lies idle."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cutaway.engine.backend import LoadError
from cutaway.engine.device import Device, Hardware, advice, find_hardware
from cutaway.engine.llama.devices import device_handles, list_devices

CPU = Device("CPU", "a processor", "cpu")


def test_the_processor_is_always_offered() -> None:
    offered = {device.name: device for device in list_devices()}

    assert offered["CPU"].kind == "cpu"
    assert offered["CPU"].memory_total > 0


def test_a_device_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(LoadError, match=r"no device 'CUDA7'.* offers .*CPU"):
        device_handles(["CUDA7"])


def test_cards_are_found_by_their_vendor(tmp_path: Path) -> None:
    for card, vendor in (("card0", "0x1002"), ("card1", "0x8086"), ("card2", "0xdead")):
        (tmp_path / card / "device").mkdir(parents=True)
        (tmp_path / card / "device" / "vendor").write_text(vendor + "\n")

    found = {card.vendor for card in find_hardware(tmp_path)}

    assert found >= {"AMD", "Intel"} or sys.platform == "darwin"


def test_an_idle_card_is_named_with_the_command_that_uses_it() -> None:
    said = advice([CPU], [Hardware("Intel"), Hardware("NVIDIA", "GeForce RTX 4070")])

    assert "GeForce RTX 4070" in said
    assert "CUDA" in said
    assert "pip install --force-reinstall" in said


@pytest.mark.parametrize(
    ("offered", "hardware"),
    [
        ([CPU, Device("CUDA0", "a card", "gpu")], [Hardware("NVIDIA")]),
        ([CPU], []),
        ([CPU], [Hardware("Intel")]),
    ],
)
def test_nothing_is_said_where_nothing_is_lost(offered: list[Device], hardware: list[Hardware]) -> None:
    assert advice(offered, hardware) == ""
