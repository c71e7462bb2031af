"""Colours as values: contrast as WCAG 2 counts it, distance as a person with a colour deficiency sees it."""

from __future__ import annotations

import math
from typing import TypeAlias

Rgb: TypeAlias = tuple[float, float, float]
"""Red, green, blue, each 0..1, as encoded (sRGB, not linear)."""


def rgb(code: str) -> Rgb:
    """`#rrggbb` as a value."""
    return (int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255)


def code(colour: Rgb) -> str:
    return "#" + "".join(f"{round(min(max(channel, 0.0), 1.0) * 255):02x}" for channel in colour)


def mix(over: str, under: str, amount: float) -> str:
    """`over` laid on `under` with opacity `amount` (0..1)."""
    top, base = rgb(over), rgb(under)
    return code(
        (
            top[0] * amount + base[0] * (1 - amount),
            top[1] * amount + base[1] * (1 - amount),
            top[2] * amount + base[2] * (1 - amount),
        )
    )


def linear(colour: Rgb) -> Rgb:
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return (r, g, b)


def luminance(colour: str) -> float:
    r, g, b = linear(rgb(colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """The WCAG contrast ratio, 1..21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


# Viénot, Brettel and Mollon (1999), on linear RGB: what is left of a colour without one kind of cone.
_DEFICIENCY: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "protanopia": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deuteranopia": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
}
DEFICIENCIES = tuple(_DEFICIENCY)


def seen_with(deficiency: str, colour: str) -> Rgb:
    """The colour in linear RGB as a person with the deficiency sees it."""
    lin = linear(rgb(colour))
    rows = _DEFICIENCY[deficiency]
    r, g, b = (sum(weight * channel for weight, channel in zip(row, lin, strict=True)) for row in rows)
    return (r, g, b)


def _lab(lin: Rgb) -> Rgb:
    r, g, b = lin
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * max(v, 0.0) + 16 / 116 for v in (x, y, z))
    return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))


def distance(one: Rgb, other: Rgb) -> float:
    """CIE 1976 difference of two linear colours: about 2 is just noticeable, 10 is clear."""
    return math.dist(_lab(one), _lab(other))
