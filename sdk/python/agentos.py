"""The names that skills for AgentOS import, with what the host has for each: `from agentos import client, returns`.

Decorators change nothing at run time: the host reads them from the text. A name without a counterpart is there all the
same, so that the skill loads; its use is refused by that name.
"""

import asyncio
import contextvars
import functools
import inspect
import json as _json
import re as _re
import sys
import types
import urllib.parse as _parse

import prowess
from agentos_text import (  # noqa: F401
    _Parts,
    _Url,
    clean_html,
    iso_from_ms,
    molt,
    normalize_email,
    normalize_handle,
    parse_date,
    parse_int,
    skill_error,
    skill_result,
    url,
)
from prowess import OpFailure, OpTimeout, crypto, fs, http, op, plist, progress, secrets  # noqa: F401

# The connection of a call: its declaration, with its name and how its key is meant to be sent.
_CONNECTION = contextvars.ContextVar("agentos_connection", default=None)
_SKILL = contextvars.ContextVar("agentos_skill", default="skill")
# All connections of the program, by their names.
_DECLARED = contextvars.ContextVar("agentos_declared", default={})
_loading = False
# Stands for a key, or a part of one, in what a tool sends. The host puts the value in its place, so no code here ever has
# it. No encoding of an address changes it.
_KEY = _re.compile(r"~~secret\.([A-Za-z0-9_.-]+)(?:~([A-Za-z0-9_-]+))?~~")


def _lacks(what):
    return OpFailure("NOT_AVAILABLE_HERE", "this skill for AgentOS needs %s; that is not available here" % what)


def _annotation(*given, **named):
    """Both `@test` and `@test(params={})`."""
    if len(given) == 1 and not named and inspect.isfunction(given[0]):
        return given[0]
    return lambda function: function


returns = provides = timeout = claims = _annotation


class _Test:
    def __call__(self, *given, **named):
        return _annotation(*given, **named)

    skip = staticmethod(_annotation)


test = _Test()

_declared = {}


def connection(name, **declaration):
    """With more than a name a declaration, else a decorator."""
    if declaration:
        module = sys._getframe(1).f_globals.get("__file__")
        _declared.setdefault(module, {})[name] = {**declaration, "name": name, "id": name}
        return None

    def mark(function):
        function.__agentos_connections__ = [name] if isinstance(name, str) else list(name)
        return function

    return mark


def _loads(is_loading):
    global _loading
    _loading = is_loading


async def _given(tool, call):
    """The arguments of a call, with what AgentOS adds to them: `connection` and `auth`. Those never come from a model."""
    _SKILL.set(str((call.get("env") or {}).get("skill", "skill")).replace(":", "-"))
    _DECLARED.set(_declared.get(call["module"], {}))
    kwargs = dict(call.get("kwargs") or {})
    declared = _declared.get(call["module"], {})
    names = getattr(tool, "__agentos_connections__", None)
    if names is None:
        # A tool that names none uses the only one, if that has a key.
        if len(declared) != 1 or not _has_key(next(iter(declared.values()))):
            return kwargs
        names = list(declared)
        asked = None
    else:
        asked = kwargs.pop("connection", None)
    name = asked if asked in names else names[0]
    declaration = declared.get(name) or _declared_beside(name, call["module"]) or {"name": name, "id": name}
    secret = "%s-%s" % (_SKILL.get(), name)
    auth = _auth_for(declaration, secret)
    current = {**declaration, "secret": secret}
    _CONNECTION.set(current)
    if _has_cookies(declaration):
        await _lend_cookies(current)
    params = inspect.signature(tool).parameters
    takes_more = any(each.kind is each.VAR_KEYWORD for each in params.values())
    kwargs.pop("auth", None)
    if auth is not None and (takes_more or "auth" in params):
        kwargs["auth"] = auth
    if "connection" in params:
        kwargs["connection"] = {key: value for key, value in declaration.items() if key != "auth"}
    return kwargs


# Loads the modules beside one, for `_declared_beside`; the worker sets it.
_load_beside = None


def _declared_beside(name, module):
    """A connection that another module of the skill declares."""
    for path in _load_beside(module):
        if name in _declared.get(path, {}):
            return _declared[path][name]
    return None


def _has_key(declaration):
    """A key that the host can put in its place: in a header, or as a parameter of the address or fields of the body."""
    auth = declaration.get("auth") or {}
    return auth.get("type") == "api_key" and bool(auth.get("header") or _places_of(declaration))


# The whole key, or a part of it: `.auth.key | split(":") | .[0]`.
_TEMPLATE = _re.compile(r"""\.auth\.key(?:\s*\|\s*split\(["']:["']\)\s*\|\s*\.\[([0-9]+)\])?""")


def _places_of(declaration):
    """Scheme, name and part, None for the whole, of each parameter and field with a key; empty where one is none."""
    auth = declaration.get("auth") or {}
    written = [(scheme, name, auth[scheme][name]) for scheme in ("query", "body") for name in auth.get(scheme) or {}]
    read = [(scheme, str(name), _TEMPLATE.fullmatch(str(template).strip())) for scheme, name, template in written]
    if len(read) > _MOST_KEYS or any(found is None for _, _, found in read):
        return []
    return [(scheme, name, None if found[1] is None else str(int(found[1]) + 1)) for scheme, name, found in read]


# Keys of one request.
_MOST_KEYS = 4


def _key_text(secret, part=None):
    return "~~secret.%s~~" % (secret if part is None else "%s~%s" % (secret, part))


class _Kept(dict):
    """What a login has kept, as JSON: each field that a tool asks for is a text that stands for it."""

    def __init__(self, secret):
        super().__init__()
        self._secret = secret

    def __missing__(self, name):
        return _key_text(self._secret, name)

    def __bool__(self):
        return True

    def get(self, name, default=None):
        return self[name]


def _has_cookies(declaration):
    return (declaration.get("auth") or {}).get("type") == "cookies"


def _site_of(declaration):
    """The one address that receives the cookies of a connection."""
    auth = declaration.get("auth") or {}
    domain = str(auth.get("domain") or declaration.get("domain") or "").lstrip(".")
    return declaration.get("base_url") or ("https://%s/" % domain if domain else None)


async def _lend_cookies(current):
    """The host sends them from now on, to that site alone. Without any, only a request to that site fails."""
    site = _site_of(current)
    if site is None:
        return
    try:
        current["cookies"] = (await op("cookie.resolve", {"url": site})).get("names") or []
    except OpFailure as failure:
        current["cookies"] = []
        if failure.code != "SECRET_NOT_FOUND" or not current.get("optional"):
            current["no_cookies"] = failure


def _auth_for(declaration, secret):
    auth = declaration.get("auth") or {}
    kind = auth.get("type")
    name = declaration["name"]
    if not auth:
        return None
    if _has_key(declaration):
        parts = [int(part) for _, _, part in _places_of(declaration) if part is not None]
        texts = [_key_text(secret, number) for number in range(1, max(parts) + 1)] if parts else [_key_text(secret)]
        return {"key": ":".join(texts)}
    domain = str(declaration.get("domain") or "").strip(".").lower()
    if kind == "api_key" and domain and not any(auth.get(each) for each in ("query", "body")):
        return _Kept(_login_name(domain))
    if declaration.get("optional") or kind == "cookies":
        return {}
    if kind == "oauth":
        raise _lacks("the connection %s: a sign-in with %s" % (name, auth.get("service") or "its site"))
    if kind == "api_key" and (auth.get("body") or auth.get("query")):
        raise _lacks("the connection %s: a key that is put together with something else" % name)
    raise _lacks("the connection %s: a session that is stored for it" % name)


# What AgentOS takes from a result beside the value itself; the host keeps cookies anyway, and caches nothing.
_SIDEBANDS = ("__secrets__", "__cookie_delta__", "__cache__")


async def _settle(value, module):
    """Stores what a result gives to be kept, each by its own op, and returns the result without it."""
    if not _is_for_agentos(module) or not isinstance(value, dict) or not any(key in value for key in (*_SIDEBANDS, "__result__")):
        return value
    given = value.get("__secrets__") or []
    for secret in given if isinstance(given, list) else [given]:
        name, text = _kept_as(secret)
        await op("secrets.write", {"name": name, "value": text})
    rest = {key: each for key, each in value.items() if key not in _SIDEBANDS}
    return rest["__result__"] if set(rest) == {"__result__"} else rest


@functools.lru_cache(maxsize=None)
def _is_for_agentos(module):
    with open(module, encoding="utf-8", errors="replace") as file:
        return _re.search(r"^[ \t]*(?:from|import)[ \t]+agentos\b", file.read(), _re.MULTILINE) is not None


def _kept_as(secret):
    """The name and the value of a secret, so that the connection that needs it finds it."""
    domain = str(secret.get("domain") or "").strip(".").lower()
    kind = secret.get("item_type") or secret.get("itemType")
    value = secret.get("value")
    if kind == "cookie" and isinstance(value, dict):
        site = next((_site_of(each) for each in _of_domain(domain) if _has_cookies(each)), None)
        host = _parse.urlsplit(site).hostname if site else domain
        return "cookie.%s" % host, "; ".join("%s=%s" % pair for pair in value.items())
    if kind == "api_key" and isinstance(value, dict) and isinstance(value.get("key"), str):
        name = next((each["name"] for each in _of_domain(domain) if _has_key(each)), None)
        return "%s-%s" % (_SKILL.get(), name) if name else _login_name(domain), value["key"]
    return _login_name(domain), value if isinstance(value, str) else _json.dumps(value)


def _of_domain(domain):
    declared = list(_DECLARED.get().values())
    same = [each for each in declared if str(each.get("domain") or "").strip(".").lower() == domain]
    return same or declared


def _login_name(domain):
    return "login.%s" % _re.sub(r"[^A-Za-z0-9_.-]", "-", domain)


def skill_secret(domain, identifier=None, item_type=None, value=None, **more):
    """Describes a secret for `__secrets__`; nothing is stored before the tool returns it."""
    return {"domain": domain, "identifier": identifier, "item_type": item_type, "value": value, **more}


class _Credentials:
    """Logins that this skill has kept, or that the user stored as `login.DOMAIN`: JSON such as `{"email": …}`."""

    async def retrieve(self, domain, required=(), account=None, **more):
        try:
            kept = await secrets.read(_login_name(str(domain).strip(".").lower()))
        except OpFailure as failure:
            if failure.code == "SECRET_NOT_FOUND":
                return {"found": False}
            raise
        try:
            value = _json.loads(kept)
        except ValueError:
            value = None
        if not isinstance(value, dict) or any(not value.get(each) for each in required):
            return {"found": False}
        if account is not None and account not in (value.get("email"), value.get("username")):
            return {"found": False}
        return {"found": True, "value": value, "identifier": value.get("email") or value.get("username")}


credentials = _Credentials()


class _OAuth:
    async def exchange(self, token_url, refresh_token, client_id, client_secret=None, **more):
        """Asks for an access token, by a request like any other."""
        fields = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": client_id, **more}
        if client_secret is not None:
            fields["client_secret"] = client_secret
        answer = await _request("POST", token_url, data=fields)
        if not answer["ok"] or not isinstance(answer["json"], dict):
            raise OpFailure("OAUTH_REFUSED", "%s gave no access token: HTTP %s" % (token_url, answer["status"]))
        return answer["json"]


oauth = _OAuth()


def _redact_result(text):
    """A result names the secret where it would hold its value: no record has a key."""
    return text if _CONNECTION.get() is None else _KEY.sub(lambda found: "<redacted:secret %s>" % found[1], text)


class _Client:
    """Requests of a tool: `json`, `data`, `params` and `headers` as AgentOS has them."""

    async def get(self, url, **more):
        return await _request("GET", url, **more)

    async def post(self, url, **more):
        return await _request("POST", url, **more)

    async def put(self, url, **more):
        return await _request("PUT", url, **more)

    async def patch(self, url, **more):
        return await _request("PATCH", url, **more)

    async def delete(self, url, **more):
        return await _request("DELETE", url, **more)

    async def head(self, url, **more):
        return await _request("HEAD", url, **more)

    async def request(self, method, url, **more):
        return await _request(method.upper(), url, **more)

    def cookie(self, name):
        """None: values of cookies stay in the host, which sends them. So a tool does what it does without it."""
        return None

    def current(self):
        """Names and domains of the cookies that its requests carry, without values."""
        current = _CONNECTION.get() or {}
        host = _parse.urlsplit(_site_of(current) or "").hostname or ""
        cookies = [_Parts(name=name, domain=host, path="/", value=None) for name in current.get("cookies") or []]
        return _Parts(jar=_Parts(cookies=cookies))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def refuse(*given, **named):
            raise _lacks("client.%s" % name)

        return refuse


client = _Client()
# How AgentOS carries a request out, which is no matter here.
_CARRIED = frozenset(["http2", "client", "skip_cookies", "follow_redirects", "verify"])


async def _request(method, url, *, params=None, json=None, data=None, headers=None, timeout=None, cookies=None, **more):
    unknown = [each for each in more if each not in _CARRIED]
    if unknown:
        raise _lacks("client with %s" % ", ".join(sorted(unknown)))
    if cookies:
        raise _lacks("cookies that it sends itself")
    url = _whole(str(url))
    lacking = (_CONNECTION.get() or {}).get("no_cookies")
    if lacking is not None and _origin(url) == _origin(_site_of(_CONNECTION.get())):
        raise lacking
    if params:
        url = _Url.build(url, params)
    headers = {str(name): str(value) for name, value in (headers or {}).items() if value is not None}
    asked = {"method": method, "url": url, "headers": headers}
    auths = []
    if isinstance(json, dict):
        auths, json = _take_fields(json)
    if json is not None:
        _default(headers, "content-type", "application/json")
        asked["body"] = _json.dumps(json)
    elif isinstance(data, (dict, list, tuple)):
        _default(headers, "content-type", "application/x-www-form-urlencoded")
        auths, data = _take_fields(data) if isinstance(data, dict) else ([], data)
        asked["body"] = _parse.urlencode(data, doseq=True)
    elif data is not None:
        asked["body"] = data.decode("utf-8") if isinstance(data, bytes) else str(data)
    more_auths, asked["url"] = _take_auths(headers, url)
    auths += more_auths
    auths = auths or _declared_auths(headers, asked)
    if _KEY.search(asked["url"]) or _KEY.search(asked.get("body", "")):
        raise _lacks("a key in the path or within the body of a request, not in a header, a parameter of its address or a field of its body")
    if len(auths) > _MOST_KEYS:
        raise _lacks("more than %d keys in one request" % _MOST_KEYS)
    if auths:
        asked["auth"] = auths[0]
        if len(auths) > 1:
            asked["moreAuth"] = auths[1:]
    if method == "GET" and not headers and not auths:
        sent = op("http.get", {"url": asked["url"]})
    else:
        sent = _send(asked)
    return _response(await (sent if timeout is None else _within(sent, timeout)))


def _origin(url):
    parts = _parse.urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _whole(url):
    """A path alone is one of the server of the connection."""
    base = (_CONNECTION.get() or {}).get("base_url")
    if base is None or _re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", url):
        return url
    return "%s/%s" % (base.rstrip("/"), url.lstrip("/"))


async def _send(asked):
    try:
        return await op("http.request", asked)
    except OpFailure as failure:
        current = _CONNECTION.get() or {}
        # Such a connection may also be used without its key.
        if failure.code == "SECRET_NOT_FOUND" and current.get("optional") and "auth" in asked:
            return await op("http.request", {key: value for key, value in asked.items() if key not in ("auth", "moreAuth")})
        raise


async def _within(sent, seconds):
    try:
        return await asyncio.wait_for(sent, float(seconds))
    except asyncio.TimeoutError:
        raise OpTimeout("TIMEOUT", "no answer within %s s" % seconds) from None


def _default(headers, name, value):
    if not any(each.lower() == name for each in headers):
        headers[name] = value


def _take_fields(fields):
    """The keys that a tool wrote as fields of a body, and the body without them."""
    found = {name: _KEY.fullmatch(value) for name, value in fields.items() if isinstance(value, str)}
    auths = [_with_part({"secret": key[1], "scheme": "body", "name": str(name)}, key[2]) for name, key in found.items() if key]
    return auths, {name: value for name, value in fields.items() if not found.get(name)}


def _with_part(auth, part):
    return auth if part is None else {**auth, "part": part}


def _take_auths(headers, url):
    """The keys that a tool wrote into the address and the headers; and the address without them."""
    auths = []
    while True:
        auth, url = _take_from_address(url)
        if auth is None:
            break
        auths.append(auth)
    for name in list(headers):
        found = _KEY.search(headers[name])
        if found is None:
            continue
        before, after = headers[name][: found.start()].strip(), headers[name][found.end() :].strip()
        if after:
            raise _lacks("its key within the header %s" % name)
        auths.append(_with_part(_auth_of(name, before, found[1]), found[2]))
        del headers[name]
    return auths, url


_PARAMETER = _re.compile(r"([?&])([^=&#?]+)=%s(?=[&#]|$)" % _KEY.pattern)


def _take_from_address(url):
    found = _PARAMETER.search(url)
    if found is None:
        return None, url
    mark, name, secret, part = found.groups()
    rest = url[found.end() :]
    # The next parameter takes the place of a first one.
    if mark == "?" and rest.startswith("&"):
        rest = "?" + rest[1:]
    current = _CONNECTION.get() or {}
    names = [name for scheme, name, _ in _places_of(current) if scheme == "query"]
    # The declaration is what the server wants, whatever the tool calls it.
    wanted = names[0] if len(names) == 1 and _is_at_server(url) else _parse.unquote_plus(name)
    return _with_part({"secret": secret, "scheme": "query", "name": wanted}, part), url[: found.start()] + rest


def _is_at_server(url):
    base = (_CONNECTION.get() or {}).get("base_url")
    return bool(base) and _parse.urlsplit(url).netloc == _parse.urlsplit(base).netloc


def _auth_of(name, before, secret):
    if before == "":
        return {"secret": secret, "scheme": "header", "name": name}
    if before.lower() == "bearer" and name.lower() == "authorization":
        return {"secret": secret, "scheme": "bearer"}
    raise _lacks('its key after "%s" in the header %s' % (before[:40], name))


def _declared_auths(headers, asked):
    """The keys that the declaration names, for a request in which the tool wrote none."""
    current = _CONNECTION.get() or {}
    # Only to the server that the declaration names.
    if not _is_at_server(asked["url"]) or not _has_key(current):
        return []
    written = dict(_parse.parse_qsl(_parse.urlsplit(asked["url"]).query, keep_blank_values=True))
    added = [
        _with_part({"secret": current["secret"], "scheme": scheme, "name": name}, part)
        for scheme, name, part in _places_of(current)
        if (name not in written if scheme == "query" else _takes_field(headers, asked.get("body"), name))
    ]
    wanted = (current.get("auth") or {}).get("header") or {}
    if len(wanted) != 1:
        return added
    ((name, template),) = wanted.items()
    if any(each.lower() == name.lower() for each in headers):
        return added
    before = _re.sub(r"\.auth\.key|[\"+]", "", str(template)).strip()
    return [*added, _auth_of(name, before, current["secret"])]


def _takes_field(headers, body, name):
    """True for the body of a request that has fields, but not this one."""
    if body is None:
        return False
    if any(each.lower() == "content-type" and "x-www-form-urlencoded" in value for each, value in headers.items()):
        return name not in dict(_parse.parse_qsl(body, keep_blank_values=True))
    try:
        fields = _json.loads(body)
    except ValueError:
        return False
    return isinstance(fields, dict) and name not in fields


def _response(answer):
    body = answer.get("body", "")
    try:
        read = _json.loads(body)
    except (TypeError, ValueError):
        read = None
    status = answer.get("status", 0)
    content_type = (answer.get("headers") or {}).get("content-type", "")
    return {**answer, "ok": 200 <= status < 400, "json": read, "content_type": content_type}


class _Shell:
    """A program with its arguments. The host has its outputs together, so a failed one has them in `stderr`, too."""

    async def run(self, binary, args=(), cwd=None, timeout=None, input=None, **more):
        if input:
            raise _lacks("shell.run with input for a program")
        if more:
            raise _lacks("shell.run with %s" % ", ".join(sorted(more)))
        asked = {"argv": [str(binary), *(str(each) for each in args or ())]}
        if cwd is not None:
            asked["cwd"] = str(cwd)
        if timeout is not None:
            asked["timeoutMs"] = max(1, min(3_600_000, int(float(timeout) * 1000)))
        try:
            ended = await op("shell.run", asked)
        except OpFailure as failure:
            if failure.code == "COMMAND_NOT_FOUND":
                raise _lacks("the program %s" % binary) from failure
            raise
        if ended.get("omitted"):
            raise OpFailure("RESULT_TOO_LARGE", "the output of %s: %d characters too many" % (binary, ended["omitted"]))
        code = ended.get("exitCode")
        code = -1 if code is None else code
        output = ended.get("output", "")
        return {
            "exit_code": code,
            "stdout": output,
            "stderr": output if code != 0 else "",
            "timed_out": bool(ended.get("timedOut")),
        }


shell = _Shell()


class _Sql:
    """Rows as dictionaries. `path` and `database` are asked for as `prowess` has them."""

    async def query(self, query, db=None, params=None, **more):
        if "path" in more or "database" in more:
            return await prowess.sql.query(query, params=params or {}, **more)
        answer = await op("sql.query", {**self._asked(db, more), "sql": query, "params": params or {}, "limit": 10_000})
        return [dict(zip(answer["columns"], row)) for row in answer["rows"]]

    async def execute(self, query, db=None, params=None, **more):
        if "path" in more or "database" in more:
            return await prowess.sql.execute(**more)
        return await op("sql.execute", {**self._asked(db, more), "statements": [{"sql": query, "params": params or {}}]})

    @staticmethod
    def _asked(db, more):
        if more:
            raise _lacks("sql with %s" % ", ".join(sorted(more)))
        path = str(db or (_CONNECTION.get() or {}).get("sqlite") or "")
        if path == "" or path.startswith("~"):
            raise _lacks("the database %s, outside of the workspace" % (path or "of its connection"))
        return {"path": path}


sql = _Sql()


class _Llm(prowess._Topic):
    async def oneshot(self, prompt, system=None, model=None, **more):
        """`model` names one of AgentOS; who answers here is the user's choice."""
        whole = prompt if system is None else "%s\n\n%s" % (system, prompt)
        answer = await op("llm.oneshot", {"prompt": whole, **more})
        return {**answer, "content": answer.get("text", "")}


llm = _Llm("llm")


class _Named:
    """A service, or something of AgentOS that has no counterpart: it may be named, and its use is refused."""

    def __init__(self, name):
        self._name = name

    def __call__(self, *given, **named):
        # A decorator, before anything runs.
        if _loading:
            return _annotation(*given, **named)
        raise _lacks("%s of the AgentOS SDK" % self._name)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return _Named("%s.%s" % (self._name, name))

    def __repr__(self):
        return self._name


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    return getattr(prowess, name, None) or _Named(name)


__path__ = []


def _submodule(name):
    module = types.ModuleType("agentos." + name)
    module.__path__ = []
    module.__getattr__ = lambda each: _named_of(name, each)
    sys.modules["agentos." + name] = module
    return module


def _named_of(module, name):
    if name.startswith("_"):
        raise AttributeError(name)
    return _Named("%s.%s" % (module, name))


tools = _submodule("tools")
macos = _submodule("macos")
macos.plist = plist
