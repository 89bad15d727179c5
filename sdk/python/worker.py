"""Runs the tools of a Python skill in one process that stays: each `call` line starts one, beside those that run.

The walls around the process keep it in. What this program refuses, it refuses to explain.
"""

import asyncio
import builtins
import contextvars
import functools
import importlib.util
import inspect
import json
import os
import re
import sys
import traceback

# The protocol gets a descriptor of its own: whatever prints, also code that is not Python's, prints to the log.
_OUT = os.dup(1)
os.dup2(2, 1)
sys.stdout = sys.stderr

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import agentos  # noqa: E402
import prowess  # noqa: E402

# The largest line of the host is the result of an op.
MAX_HOST_LINE = 32 * 1024 * 1024
MAX_LINE = 1024 * 1024 - 1024

INSTEAD = {
    "urllib": "http",
    "httpx": "http",
    "requests": "http",
    "urllib3": "http",
    "socket": "http",
    "sqlite3": "sql",
    "keyring": "secrets",
    "subprocess": "shell",
    "multiprocessing": "shell",
    "signal": None,
    "ctypes": None,
}

# Parts of these that reach nothing.
HARMLESS = ("urllib.parse", "urllib.error", "urllib.response")

# Modules of the library that load others by their names.
LOADERS = ("importlib", "runpy", "pkgutil", "pydoc", "zipimport")

# Of each process; how much, the host says.
MEMORY = int(sys.argv.pop(1)) * 1024 * 1024

# Characters of what a call printed last, for the error of one that ends itself.
MAX_LAST_WORDS = 2000

_running = {}
_modules = {}
_printed = contextvars.ContextVar("printed", default=None)


class LastWords:
    """Passes on to the log what a call prints, and keeps the end of it."""

    def __init__(self, stream):
        self._stream = stream

    def write(self, text):
        kept = _printed.get()
        if kept is not None:
            kept[0] = (kept[0] + text)[-MAX_LAST_WORDS:]
        return self._stream.write(text)

    def __getattr__(self, name):
        return getattr(self._stream, name)


sys.stdout = sys.stderr = LastWords(sys.stderr)


def send(text):
    data = text.encode("utf-8") + b"\n"
    while data:
        data = data[os.write(_OUT, data):]


prowess._send = send


class BannedModule(ImportError):
    """A module that a tool cannot use; the message says what it uses instead."""

    code = "BannedModule"


def refuse_banned(name, fromlist=()):
    """Help for authors and no wall: it looks only at what the skill's own files ask for, in whichever way."""
    top = name.split(".", 1)[0]
    if top not in INSTEAD or _is_harmless(name, fromlist) or not _is_asked_by_skill():
        return
    instead = INSTEAD[top]
    help = "use %s of the SDK: from prowess import %s" % (instead, instead) if instead else "there is nothing in its place"
    others = [each for each in HARMLESS if each.startswith(top + ".")]
    if others:
        help += ". It may use %s" % ", ".join(others)
    raise BannedModule('"%s" cannot be used in a worker; %s. The sandbox keeps the process in either way' % (name, help))


def _is_harmless(name, fromlist):
    whole = [name] if name in HARMLESS else ["%s.%s" % (name, each) for each in fromlist or ()]
    return bool(whole) and all(each in HARMLESS for each in whole)


def _is_asked_by_skill():
    """Code without a file, and the library's own ways to load a module, ask for whoever calls them."""
    frame = sys._getframe(1)
    while frame is not None:
        path = frame.f_globals.get("__file__")
        name = frame.f_globals.get("__name__") or ""
        if path and path != __file__ and name.split(".", 1)[0] not in LOADERS:
            return _is_own(path)
        frame = frame.f_back
    return False


def import_for_skill(name, globals=None, locals=None, fromlist=(), level=0):
    if level == 0:
        refuse_banned(name, fromlist)
    return _import(name, globals, locals, fromlist, level)


def explain_loaders():
    """All ways to load a module by its name say the same as `import`."""

    def explained(load, name_of):
        @functools.wraps(load)
        def asked(*given, **named):
            name = name_of(*given, **named)
            if isinstance(name, str):
                refuse_banned(name)
            return load(*given, **named)

        return asked

    def whole_name(name, package=None):
        return importlib.util.resolve_name(name, package) if name.startswith(".") and package else name

    builtins.__import__ = import_for_skill
    importlib.__import__ = import_for_skill
    importlib.import_module = explained(importlib.import_module, whole_name)
    importlib.util.find_spec = explained(importlib.util.find_spec, whole_name)
    importlib.util.module_from_spec = explained(
        importlib.util.module_from_spec, lambda spec: getattr(spec, "name", None)
    )


_import = builtins.__import__
_folders = set()


def _is_own(path):
    return any(path.startswith(folder + os.sep) for folder in _folders)


def _own_name(path):
    """The author knows a file by its place in the capability."""
    folder = next((each for each in _folders if path.startswith(each + os.sep)), None)
    return os.path.basename(path) if folder is None else os.path.relpath(path, folder)


def load(path, folder):
    if path not in _modules:
        _folders.add(folder)
        if folder not in sys.path:
            sys.path.insert(1, folder)
        spec = importlib.util.spec_from_file_location("skill", path)
        module = importlib.util.module_from_spec(spec)
        agentos._loads(True)
        try:
            spec.loader.exec_module(module)
        finally:
            agentos._loads(False)
        _modules[path] = module
    return _modules[path]


_MODULE = re.compile(r"(?!_|test_|conftest\.py$|setup\.py$|.*_test\.py$)[^.].*\.py$")


def load_beside(path):
    """The paths of the other modules of a skill for AgentOS, each loaded. One that does not load declares nothing."""
    folder = os.path.dirname(path)
    for name in sorted(each for each in os.listdir(folder) if _MODULE.match(each)):
        beside = os.path.join(folder, name)
        if beside == path:
            continue
        try:
            load(beside, folder)
        except (Exception, SystemExit):
            traceback.print_exc()
            continue
        yield beside


agentos._load_beside = load_beside


class Refused(Exception):
    """The tool was not run."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def tool_of(call):
    module = load(call["module"], call["working_dir"])
    name = call["function"]
    tool = None if name.startswith("_") else getattr(module, name, None)
    if not callable(tool):
        raise Refused("INVALID_ACTION_BLOCK", 'it has no function "%s"' % name)
    if not inspect.iscoroutinefunction(tool):
        raise Refused("INVALID_ACTION_BLOCK", '%s is not async: write "async def %s". It was not run' % (name, name))
    return tool


async def run(call_id, call):
    prowess._CALL.set(call_id)
    printed = [""]
    _printed.set(printed)
    prowess._CAPS.set(tuple(call.get("capabilities") or ()))
    try:
        tool = tool_of(call)
        value = await agentos._settle(await tool(**await agentos._given(tool, call)), call["module"])
        text = agentos._redact_result(result_line(call_id, value))
    except (Exception, asyncio.CancelledError, SystemExit, KeyboardInterrupt) as error:
        last = printed[0].strip()
        traceback.print_exc()
        failure = failure_of(error, call)
        if isinstance(error, SystemExit) and last:
            failure["message"] += "; it wrote last: %s" % last
        text = json.dumps({"__type__": "result", "__id__": call_id, "__error__": failure})
    finally:
        _running.pop(call_id, None)
    send(text)


def result_line(call_id, value):
    if isinstance(value, dict):
        reserved = next((key for key in value if str(key).startswith("__")), None)
        if reserved is not None:
            raise ValueError('the result has a key "%s"; keys that begin with __ belong to the protocol' % reserved)
        line = {**value, "__type__": "result", "__id__": call_id}
    else:
        line = {"__type__": "result", "__id__": call_id, "value": value, "__wrapped__": True}
    text = json.dumps(line, allow_nan=False)
    if len(text) > MAX_LINE:
        raise ValueError("the result: %d bytes, the limit is %d" % (len(text), MAX_LINE))
    return text


def failure_of(error, call):
    if isinstance(error, Refused):
        return {"message": str(error), "code": error.code}
    if isinstance(error, SyntaxError):
        where = "%s:%s" % (_own_name(error.filename or ""), error.lineno)
        return {"message": "%s: SyntaxError: %s" % (where, error.msg), "code": "SYNTAX_ERROR"}
    if isinstance(error, FileNotFoundError) and error.filename == call["module"]:
        return {"message": "its program is not there", "code": "ACTION_BLOCK_NOT_FOUND"}
    missing = error.__context__ if type(error) is ImportError and error.__context__ else error
    if isinstance(missing, ModuleNotFoundError) and missing.name is not None:
        package = missing.name.split(".", 1)[0]
        return {"message": 'it needs the Python package "%s", which %s does not have' % (package, sys.executable)}
    if isinstance(error, prowess.OpFailure):
        return {"message": "%s (%s)" % (error, error.code)}
    frames = [each for each in traceback.extract_tb(error.__traceback__) if _is_own(each.filename)]
    where = "%s:%d: " % (_own_name(frames[-1].filename), frames[-1].lineno) if frames else ""
    # What came of the advice says less than it.
    shown = error.__cause__ if isinstance(error.__cause__, BannedModule) else error
    return {"message": "%s%s: %s" % (where, type(shown).__name__, shown)}


def take(text):
    line = json.loads(text)
    kind = line.get("__type__")
    if kind == "call":
        call_id = line["__id__"]
        _running[call_id] = asyncio.get_running_loop().create_task(run(call_id, line["__call__"]))
    elif kind == "dispatch_result":
        prowess._answered(line)
    elif kind == "cancel":
        task = _running.get(line.get("__id__"))
        if task is not None:
            task.cancel()


def bound_memory():
    """Python has no limit of its own. A hard one cannot be raised again."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass


async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=MAX_HOST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(0, "rb", buffering=0))
    explain_loaders()
    send('{"__type__":"ready"}')
    while True:
        line = await reader.readline()
        if not line.endswith(b"\n"):
            # The host is gone, or wants no more.
            os._exit(0)
        take(line)


bound_memory()
asyncio.run(main())
