"""The SDK of a Python skill: each op of the host, asked for by topic. `from prowess import http, sql`.

Every function is a coroutine, belongs to the call it is awaited in, and raises OpFailure when the host
refuses or the op fails.
"""

import asyncio
import contextvars
import json as _json

_CALL = contextvars.ContextVar("prowess_call")
_CAPS = contextvars.ContextVar("prowess_caps", default=())
_PARKED = {}
_ONE_WAY = {"progress.report"}
_MAX_LINE = 1024 * 1024 - 1024
_last = 0
_send = None


class OpFailure(Exception):
    """Why an op was not done. `code` says what to do about it."""

    def __init__(self, code, message, facts=None):
        super().__init__(message)
        self.code = code
        self.facts = facts or {}


class OpTimeout(OpFailure, TimeoutError):
    """The op took longer than it may."""


async def op(name, params=None):
    """Asks the host for an op by its whole name: `await op("fs.read", {"path": "a.txt"})`."""
    global _last
    call = _CALL.get(None)
    if call is None:
        raise OpFailure("INVALID_REQUEST", "an op belongs to a call: await it within a tool")
    dispatch = "d-%d" % (_last + 1)
    line = _json.dumps(
        {
            "__type__": "dispatch",
            "__id__": call,
            "__dispatch_id__": dispatch,
            "__caps__": list(_CAPS.get()),
            "__dispatch__": {"op": name, "params": params or {}},
        },
        allow_nan=False,
    )
    if len(line) > _MAX_LINE:
        raise OpFailure("MESSAGE_TOO_LONG", "the params of %s: %d bytes" % (name, len(line)))
    _last += 1
    if name in _ONE_WAY:
        _send(line)
        return {}
    future = asyncio.get_running_loop().create_future()
    _PARKED[dispatch] = future
    _send(line)
    try:
        return await future
    finally:
        _PARKED.pop(dispatch, None)


def _answered(line):
    """Called with each dispatch_result."""
    future = _PARKED.pop(line.get("__dispatch_id__"), None)
    if future is None or future.done():
        return
    error = line.get("__error__")
    if error is None:
        future.set_result(line.get("payload"))
    else:
        kind = OpTimeout if error.get("code") == "TIMEOUT" else OpFailure
        future.set_exception(kind(error.get("code"), error.get("message"), error.get("facts")))


class _Topic:
    """Every op of a topic: `sql.query(...)` is the op `sql.query`."""

    # What a first argument stands for.
    _FIRST = {
        "fs.read": "path",
        "fs.list": "path",
        "fs.write": "path",
        "sql.query": "sql",
        "llm.oneshot": "prompt",
        "llm.chat": "messages",
        "shell.run": "argv",
        "plist.parse": "path",
        "llm.resolveTools": "tools",
        "services.call": "name",
        "services.listProviders": "name",
        "cookie.resolve": "url",
        "cookie.get": "url",
        "cookie.clear": "url",
        "http.sessionClose": "session",
    }

    def __init__(self, name):
        self._name = name

    def __getattr__(self, verb):
        if verb.startswith("_"):
            raise AttributeError(verb)
        name = "%s.%s" % (self._name, _VERBS.get(verb, verb))

        async def perform(*first, **params):
            if len(first) > 1:
                raise TypeError("%s takes one argument without a name" % name)
            if first and isinstance(first[0], dict):
                params = {**first[0], **params}
            elif first:
                params = {self._FIRST.get(name, "value"): first[0], **params}
            return await op(name, params)

        return perform


# As Python writes them.
_VERBS = {
    "random_bytes": "randomBytes",
    "aes_gcm_encrypt": "aesGcmEncrypt",
    "aes_gcm_decrypt": "aesGcmDecrypt",
    "resolve_tools": "resolveTools",
    "session_open": "sessionOpen",
    "session_close": "sessionClose",
    "list_providers": "listProviders",
}


class _Http(_Topic):
    async def get(self, url, **more):
        if set(more) <= {"session"}:
            return _with_json(await op("http.get", {"url": url, **more}))
        return await self._request("GET", url, **more)

    async def post(self, url, **more):
        return await self._request("POST", url, **more)

    async def put(self, url, **more):
        return await self._request("PUT", url, **more)

    async def patch(self, url, **more):
        return await self._request("PATCH", url, **more)

    async def delete(self, url, **more):
        return await self._request("DELETE", url, **more)

    async def head(self, url, **more):
        return await self._request("HEAD", url, **more)

    async def _request(self, method, url, json=None, headers=None, **more):
        headers = dict(headers or {})
        if json is not None:
            headers.setdefault("content-type", "application/json")
            more["body"] = _json.dumps(json)
        return _with_json(await op("http.request", {"method": method, "url": url, "headers": headers, **more}))


def _with_json(response):
    """The body, read as well, where it is JSON."""
    try:
        response["json"] = _json.loads(response["body"])
    except (KeyError, TypeError, ValueError):
        pass
    return response


class _Secrets(_Topic):
    async def read(self, name):
        return (await op("secrets.read", {"name": name}))["value"]

    async def write(self, name, value):
        return await op("secrets.write", {"name": name, "value": value})

    # As the first skills called it.
    get = read


_MAX_REPORT = 1000
_has_said_odd = False


def _cleaned_report(message, fraction):
    """What of a report can be shown, or None: a report never fails a call. The log says once that one was odd."""
    odd = []
    try:
        # Other objects say nothing to a person.
        words = str(message) if isinstance(message, (str, int, float)) else ""
        # Lone surrogates have no bytes.
        words = words.encode("utf-8", "replace").decode("utf-8")
    except Exception:
        words = ""
    if len(words) > _MAX_REPORT:
        words = words[: _MAX_REPORT - 1] + "\u2026"
    if not words.strip():
        words = ""
        odd.append("it has no message")
    is_number = isinstance(fraction, (int, float)) and not isinstance(fraction, bool) and fraction == fraction
    part = min(1.0, max(0.0, fraction)) if is_number else None
    if part is None and fraction is not None:
        odd.append("its fraction is no number and is left out")
    elif part != fraction:
        odd.append("its fraction is not between 0 and 1; %g is taken" % part)
    _say_odd(odd)
    if part is None:
        return {"message": words} if words else None
    return {"message": words or "\u2026", "fraction": part}


def _say_odd(odd):
    global _has_said_odd
    if odd and not _has_said_odd:
        _has_said_odd = True
        print("a report of progress is odd: %s" % ", ".join(odd))


class _Progress(_Topic):
    async def report(self, message, fraction=None):
        params = _cleaned_report(message, fraction)
        return {} if params is None else await op("progress.report", params)


http = _Http("http")
sql = _Topic("sql")
secrets = _Secrets("secrets")
llm = _Topic("llm")
shell = _Topic("shell")
crypto = _Topic("crypto")
plist = _Topic("plist")
fs = _Topic("fs")
cookie = _Topic("cookie")
services = _Topic("services")
progress = _Progress("progress")
