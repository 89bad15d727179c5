"""Reads programs of skills for `prowess capability validate`. Parses them and nothing else: no line of them is run.

Input: JSON, a list of {"path", "text"}. Output: JSON, a list of findings with line and column, both from 1.
"""

import ast
import json
import os
import sys

# Of this process, in seconds and bytes: a program can be written to be hard to parse.
SECONDS = 5
MEMORY = 512 * 1024 * 1024
# The most that is said of one file.
MOST = 50


def bound():
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass


def tables():
    """What the worker itself refuses, read from its text: there is one list."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found = {"INSTEAD": {}, "HARMLESS": ("urllib.parse", "urllib.error", "urllib.response")}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in found:
            found[node.targets[0].id] = ast.literal_eval(node.value)
    return found["INSTEAD"], found["HARMLESS"]


def units(text):
    """Columns count as editors do."""
    return len(text.encode("utf-16-le")) // 2


class Reader(ast.NodeVisitor):
    def __init__(self, text, instead, harmless):
        self.lines = text.splitlines()
        self.instead = instead
        self.harmless = harmless
        self.guards = 0
        self.found = []
        self.used = set()
        self.is_for_agentos = False

    def say(self, node, kind, name, instead=None):
        line = self.lines[node.lineno - 1].encode("utf-8") if node.lineno <= len(self.lines) else b""
        column = units(line[: node.col_offset].decode("utf-8", "replace")) + 1
        finding = {"line": node.lineno, "column": column, "kind": kind, "name": name, "instead": instead}
        self.found.append({**finding, "guarded": self.guards > 0})

    def banned(self, node, name, parts=()):
        top = name.split(".", 1)[0]
        whole = [name] if name in self.harmless else ["%s.%s" % (name, each) for each in parts]
        if top in self.instead and not (whole and all(each in self.harmless for each in whole)):
            self.say(node, "banned", name, self.instead[top])

    def visit_Import(self, node):
        for alias in node.names:
            self.banned(node, alias.name)

    def visit_ImportFrom(self, node):
        if node.level == 0 and node.module:
            self.is_for_agentos = self.is_for_agentos or node.module.split(".", 1)[0] == "agentos"
            self.banned(node, node.module, [alias.name for alias in node.names])

    def visit_Call(self, node):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        first = node.args[0] if node.args else None
        if called in ("__import__", "import_module") and isinstance(first, ast.Constant) and isinstance(first.value, str):
            self.banned(node, first.value)
        self.generic_visit(node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.used.add(node.id)

    def visit_Try(self, node):
        guards = any(each.type is None or _names_import_error(each.type) for each in node.handlers)
        self.guards += guards
        for each in node.body:
            self.visit(each)
        self.guards -= guards
        for each in [*node.handlers, *node.orelse, *node.finalbody]:
            self.visit(each)

    visit_TryStar = visit_Try


def _names_import_error(node):
    each = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(getattr(one, "id", "") in ("ImportError", "ModuleNotFoundError", "Exception", "BaseException") for one in each)


def yields(function):
    """Without what other functions within it yield."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def check(text, is_entry, instead, harmless):
    try:
        tree = ast.parse(text)
        # Some faults are found only after that: `return` outside of a function, `await` outside of an async one.
        compile(tree, "skill", "exec", dont_inherit=True)
    except SyntaxError as error:
        line = error.lineno or 1
        lines = text.splitlines()
        before = lines[line - 1][: max((error.offset or 1) - 1, 0)] if line <= len(lines) else ""
        return [{"line": line, "column": units(before) + 1, "kind": "syntax", "name": error.msg}]
    except (ValueError, RecursionError, MemoryError) as error:
        reason = str(error) or "it is nested too deeply"
        return [{"line": 1, "column": 1, "kind": "syntax", "name": reason}]
    reader = Reader(text, instead, harmless)
    reader.visit(tree)
    for node in tree.body if is_entry else []:
        name = getattr(node, "name", "_")
        if name.startswith("_"):
            continue
        # Who is called from within is a helper. So is, in a skill for AgentOS, who has no decorator.
        is_helper = name in reader.used or (reader.is_for_agentos and not getattr(node, "decorator_list", None))
        if isinstance(node, ast.FunctionDef) and not is_helper:
            reader.say(node, "sync", name)
        elif isinstance(node, ast.AsyncFunctionDef) and yields(node):
            reader.say(node, "yields", name)
    return reader.found[:MOST]


def main():
    bound()
    instead, harmless = tables()
    found = []
    for number, file in enumerate(json.loads(sys.stdin.buffer.read().decode("utf-8"))):
        found.append({"path": file["path"], "found": check(file["text"], number == 0, instead, harmless)})
    sys.stdout.write(json.dumps(found))


main()
