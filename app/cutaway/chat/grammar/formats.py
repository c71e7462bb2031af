"""String formats of JSON Schema that a grammar can say, as patterns."""

from __future__ import annotations

_LEAP = r"(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)"
_DAY = r"(?:[1-9][0-9]{3}|0[1-9][0-9]{2})-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
_DATE = rf"(?:{_DAY}|{_LEAP}-02-29)"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_HEX = "[0-9a-fA-F]"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"


_COUNT = "[0-9]{1,6}"
_DAYS = f"(?:{_COUNT}Y(?:{_COUNT}M(?:{_COUNT}D)?)?|{_COUNT}M(?:{_COUNT}D)?|{_COUNT}D)"
_HOURS = f"(?:{_COUNT}H(?:{_COUNT}M(?:{_COUNT}S)?)?|{_COUNT}M(?:{_COUNT}S)?|{_COUNT}S)"


def _ipv6() -> str:
    """Eight groups, or fewer with one gap."""
    group = f"{_HEX}{{1,4}}"
    gaps = [f"(?:{group}:){{1,{before}}}(?::{group}){{1,{7 - before}}}" for before in range(1, 7)]
    return "|".join([f"(?:{group}:){{7}}{group}", f"(?:{group}:){{1,7}}:", f":(?::{group}){{1,7}}", "::", *gaps])


def _uuid(version: str) -> str:
    return f"^{_HEX}{{8}}-{_HEX}{{4}}-{version}{_HEX}{{3}}-[89abAB]{_HEX}{{3}}-{_HEX}{{12}}$"


STRING_FORMATS: dict[str, str] = {
    "date": f"^{_DATE}$",
    "time": f"^{_TIME}$",
    "date-time": f"^{_DATE}T{_TIME}$",
    "duration": rf"^P(?:{_COUNT}W|{_DAYS}(?:T{_HOURS})?|T{_HOURS})$",
    "uuid": f"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$",
    **{f"uuid{version}": _uuid(str(version)) for version in range(1, 6)},
    "ipv4": rf"^{_BYTE}(?:\.{_BYTE}){{3}}$",
    "ipv6": f"^(?:{_ipv6()})$",
    "hostname": rf"^{_LABEL}(?:\.{_LABEL}){{0,8}}$",
    "email": rf"^[A-Za-z0-9_%+-]+(?:\.[A-Za-z0-9_%+-]+)*@{_LABEL}(?:\.{_LABEL}){{1,8}}$",
    "uri": r"^[a-z][a-z0-9+.-]{0,20}:(?://)?[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+$",
}
"""Narrower than the formats in places (no leap second, no IPv4 in IPv6): what is written is always valid."""
