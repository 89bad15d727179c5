"""Addresses and texts as skills for AgentOS take them apart. Nothing here asks the host for anything."""

import datetime as _datetime
import html as _html
import re as _re
import types
import urllib.parse as _parse


class _Parts(types.SimpleNamespace):
    pass


class _Url:
    """Addresses, taken apart and put together. Nothing is asked for."""

    @staticmethod
    def build(base, params=None, **more):
        given = {**(params or {}), **more}
        pairs = [(key, _plain(value)) for key, value in given.items() if value is not None]
        if not pairs:
            return base
        head, hash_, fragment = base.partition("#")
        joined = "&" if "?" in head else "?"
        return head + joined + _parse.urlencode(pairs, doseq=True) + hash_ + fragment

    @staticmethod
    def parse(text):
        parts = _parse.urlsplit(text)
        query = {key: values[-1] for key, values in _parse.parse_qs(parts.query, keep_blank_values=True).items()}
        return _Parts(
            scheme=parts.scheme,
            host=parts.hostname or "",
            port=parts.port,
            path=parts.path,
            query=query,
            fragment=parts.fragment,
        )

    @staticmethod
    def encode(text):
        return _parse.quote(str(text), safe="")

    @staticmethod
    def decode(text):
        return _parse.unquote(str(text))

    @staticmethod
    def registrable(host):
        """The last two names of a host, or three below a country as in `example.co.uk`."""
        names = str(host).strip().strip(".").lower().split(".")
        country = len(names) > 2 and len(names[-1]) == 2 and names[-2] in ("co", "com", "net", "org", "gov", "ac", "edu")
        return ".".join(names[-3 if country else -2 :])

    @classmethod
    def same_site(cls, one, other):
        return cls.registrable(one) == cls.registrable(other)


def _plain(value):
    return str(value).lower() if isinstance(value, bool) else value


url = _Url()


def skill_error(message, code=None, **facts):
    return {"error": str(message), **({} if code is None else {"code": code}), **facts}


def skill_result(**fields):
    return fields


def molt(text):
    """One line without white space around it; None for nothing."""
    line = " ".join(str(text or "").split())
    return line or None


def parse_int(text):
    found = _re.search(r"-?\d[\d,.\u00a0 ]*\s*([kKmM]?)", str(text or ""))
    if found is None:
        return None
    number = found[0].rstrip("kKmM ")
    times = {"k": 1_000, "m": 1_000_000}.get(found[1].lower())
    if times is not None:
        return int(float(number.replace(",", "")) * times)
    return int(_re.sub(r"[^\d-]", "", number))


def parse_date(text):
    """A day as `2026-01-31`; None where the text is none."""
    line = molt(text)
    for form in ("%Y-%m-%d", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y", "%m/%d/%Y", "%B %Y", "%b %Y", "%Y"):
        try:
            return _datetime.datetime.strptime(line or "", form).date().isoformat()
        except ValueError:
            pass
    return None


def iso_from_ms(value):
    if value is None:
        return None
    return _datetime.datetime.fromtimestamp(float(value) / 1000, _datetime.timezone.utc).isoformat()


def clean_html(text):
    if text is None:
        return None
    plain = _re.sub(r"<[^>]*>", "", _re.sub(r"(?i)<br\s*/?>|</p>", "\n", str(text)))
    return _html.unescape(plain).strip() or None


def normalize_email(text):
    return str(text or "").strip().lower()


def normalize_handle(text):
    return str(text or "").strip().lstrip("@").lower()
