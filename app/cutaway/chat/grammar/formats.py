"""String formats of JSON Schema that a grammar can say, as patterns."""

from __future__ import annotations

_DATE = r"(?:[1-9][0-9]{3}|0[1-9][0-9]{2})-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_HEX = "[0-9a-fA-F]"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"


def _uuid(version: str) -> str:
    return f"^{_HEX}{{8}}-{_HEX}{{4}}-{version}{_HEX}{{3}}-[89abAB]{_HEX}{{3}}-{_HEX}{{12}}$"


STRING_FORMATS: dict[str, str] = {
    "date": f"^{_DATE}$",
    "time": f"^{_TIME}$",
    "date-time": f"^{_DATE}T{_TIME}$",
    "duration": r"^P(?:[0-9]{1,6}W|(?:[0-9]{1,6}Y)?(?:[0-9]{1,6}M)?[0-9]{1,6}D|T(?:[0-9]{1,6}H)?(?:[0-9]{1,6}M)?[0-9]{1,6}S)$",
    "uuid": f"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$",
    **{f"uuid{version}": _uuid(str(version)) for version in range(1, 6)},
    "ipv4": rf"^{_BYTE}(?:\.{_BYTE}){{3}}$",
    "ipv6": f"^(?:{_HEX}{{1,4}}:){{7}}{_HEX}{{1,4}}$",
    "hostname": rf"^{_LABEL}(?:\.{_LABEL}){{0,8}}$",
    "email": rf"^[A-Za-z0-9_%+-]+(?:\.[A-Za-z0-9_%+-]+)*@{_LABEL}(?:\.{_LABEL}){{1,8}}$",
    "uri": r"^[a-z][a-z0-9+.-]{0,20}:(?://)?[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+$",
}
"""Narrower than the formats in places (no 29 February, no abbreviated IPv6): what is written is always valid."""
