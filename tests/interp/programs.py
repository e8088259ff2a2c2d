"""Generated programs: a module with helpers, classes and state, whose forward moves values through all of them.

What a variable is called tells what it always holds: `v` anything, `l` a list, `d` a dict, `o` an object, `f` a
function of one argument, `i` an int. Programs end, and mostly do not raise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from textwrap import indent
from typing import Any, Final

CLASSES: Final = ("A", "B", "C", "D")
CONSTANTS: Final = (
    '"s"',
    "0",
    "1",
    "2",
    "None",
    "1.5",
    "True",
    "torch.ones(2)",
    "torch.zeros(1, 2)",
    "torch.tensor(1)",
)
SETTER: Final = "\n    def first(self, value):\n        self.back = value"
LOOPS: Final = ("for", "enumerate", "range", "zip", "items", "while")


@dataclass(frozen=True)
class Scope:
    """The names that a statement may use, by what they hold."""

    values: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    dicts: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    ints: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    own: frozenset[str] = field(default=frozenset())  # bound in this function, so that it may bind them again
    makes: bool = True
    in_loop: bool = False
    in_function: bool = True

    def plus(self, kind: str, *names: str) -> Scope:
        """The scope with more names."""
        known = getattr(self, kind)
        added = tuple(name for name in names if name not in known)
        return replace(self, **{kind: known + added, "own": self.own | frozenset(names)})  # type: ignore[arg-type]


class Programs:
    """Writes one program, asking `random` for every choice."""

    def __init__(self, random: Any) -> None:
        self.random = random
        self.count = 0

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.random.randrange(len(options))]

    def chance(self, of: int) -> bool:
        return bool(self.random.randrange(of) == 0)

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    # expressions

    def value(self, scope: Scope, depth: int = 2) -> str:
        """An expression of any value."""
        if depth == 0 or self.chance(4):
            return str(self.pick(scope.values)) if scope.values and not self.chance(3) else str(self.pick(CONSTANTS))
        return str(self.pick(self._ways(scope))(scope, depth - 1))

    def _ways(self, scope: Scope) -> list[Callable[[Scope, int], str]]:
        ways = [self._choice, self._display, self._test_value, self._number, self._walrus]
        if scope.lists:
            ways += [self._from_list, self._from_list, self._comprehension]
        if scope.dicts:
            ways += [self._from_dict, self._from_dict]
        if scope.objects:
            ways += [self._from_object, self._from_object]
        if scope.functions:
            ways += [lambda s, n: f"{self.pick(s.functions)}({self.value(s, n)})"]
        if scope.helpers:
            ways += [self._call, self._call]
        return ways

    def _choice(self, scope: Scope, depth: int) -> str:
        first, second = self.value(scope, depth), self.value(scope, depth)
        return f"({first} if {self.test(scope)} else {second})"

    def _display(self, scope: Scope, depth: int) -> str:
        first, second = self.value(scope, depth), self.value(scope, depth)
        return str(
            self.pick((f"({first}, {second})", f"[{first}, {second}]", f'{{"a": {first}}}', f"({first},)", "[]"))
        )

    def _test_value(self, scope: Scope, depth: int) -> str:
        return f"({self.test(scope)})"

    def _walrus(self, scope: Scope, depth: int) -> str:
        bound = [name for name in scope.values if name in scope.own and name[0] == "v"]
        return f"({self.pick(bound)} := {self.value(scope, depth)})" if bound else self.value(scope, depth)

    def _number(self, scope: Scope, depth: int) -> str:
        ways = [
            "abs(-1)",
            "round(1.6)",
            "sum([1, 2, 1])",
            "max(1, 2)",
            "-True",
            "~1",
            "2 ** 2",
            "True & False",
            "7 // 2",
        ]
        ways += [f"{self.pick(scope.ints)} + 1", f"-{self.pick(scope.ints)}"] if scope.ints else []
        ways += [f"len({self.pick(scope.lists)})"] if scope.lists else []
        return str(self.pick(ways))

    def _from_list(self, scope: Scope, depth: int) -> str:
        row = self.pick(scope.lists)
        ways = [
            f"{row}[0]", f"{row}[-1]", f"next(iter({row}))", f"[*{row}, {self.value(scope, depth)}][1]",
            f"list({row})", f"tuple({row})", f"({row} * 2)[1]", f"list(zip({row}, {row}))",
            f"({row} + [{self.value(scope, depth)}])[1]", f"{row}[:1]",
            f"{row}.copy()", f"tuple({row}) + (1,)", f"list(enumerate({row}, 1))[0]", f"list(reversed({row}))[0]",
            f"list(map(lambda z: {self.value(scope.plus('values', 'z'), 1)}, {row}))",
            f"[z for z in {row} if {self.test(scope.plus('values', 'z'))}]", f"({row} or [1])[0]", row,
        ]  # fmt: skip
        return str(self.pick(ways))

    def _comprehension(self, scope: Scope, depth: int) -> str:
        inner = replace(scope.plus("values", "z"), own=frozenset())
        row, item = self.pick(scope.lists), self.value(inner, 2)
        ways = (f"[{item} for z in {row}]", f"{{0: {item} for z in {row}}}", f"list({item} for z in {row})")
        return str(self.pick(ways))

    def _from_dict(self, scope: Scope, depth: int) -> str:
        table, item = self.pick(scope.dicts), self.value(scope, depth)
        ways = [
            f'{table}["a"]', f'{table}.get("b")', f'{table}.get("c", {item})', f'{table}.setdefault("b", {item})',
            f'{table}.pop("c", {item})', f"list({table}.values())", f"list({table}.items())", f'{{**{table}, "b": 1}}',
            f'{{**{table}}}.get("b")', f'("b" in {table})', f"list({table})", f'dict({table}, c={item}).get("c")',
            table,
        ]  # fmt: skip
        return str(self.pick(ways))

    def _from_object(self, scope: Scope, depth: int) -> str:
        owner, item = self.pick(scope.objects), self.value(scope, depth)
        ways = [
            f"{owner}.p", f"{owner}.p", f"{owner}.n", f"{owner}.shared", f"{owner}.first", f"{owner}.get({item})",
            f"{owner}.put({item})", f'getattr({owner}, "p")', f'getattr({owner}, "extra", {item})',
            f"{owner}.same({item})", f"{owner}.made({item}).p", f"{owner}.items[0]", f'{owner}.table.get("b")', owner,
            f"type({owner}).same({item})", f"{owner}.many({item}, {item})",
        ]  # fmt: skip
        return str(self.pick(ways))

    def _call(self, scope: Scope, depth: int) -> str:
        name = self.pick(scope.helpers)
        if name[0] == "r":
            return f"{name}({self.pick((0, 1, 2))}, {self.value(scope, depth)})"
        first, second = self.value(scope, depth), self.value(scope, depth)
        given = [
            first, f"{first}, {second}", f"b={first}, a={second}", f"*[{first}, {second}]", f'**{{"a": {first}}}',
            f'{first}, **{{"b": {second}}}', f"{first}, key={second}", f"{first}, {second}, {first}, other={second}",
        ]  # fmt: skip
        given += [f"*{self.pick(scope.lists)}", f"*{self.pick(scope.lists)}, {first}"] if scope.lists else []
        return f"{name}({self.pick(given)})"

    def test(self, scope: Scope) -> str:
        """An expression that is asked for its truth."""
        subject = self.pick(scope.values) if scope.values else "1"
        tests = [
            f"{subject} is None", f"{subject} is not None", f"isinstance({subject}, torch.Tensor)", "1 < 2",
            f"isinstance({subject}, (int, str))", f"isinstance({subject}, list)", f"isinstance({subject}, A)",
        ]  # fmt: skip
        if scope.flags:
            tests += [self.pick(scope.flags), f"not {self.pick(scope.flags)}"] * 3
        if scope.ints:
            tests += [f"{self.pick(scope.ints)} > 0", f"{self.pick(scope.ints)} == 1"]
        if scope.lists:
            tests += [f"len({self.pick(scope.lists)}) > 1", str(self.pick(scope.lists))]
        if scope.dicts:
            tests += [f'"b" in {self.pick(scope.dicts)}', f'{self.pick(scope.dicts)}.get("c") is None']
        if scope.objects:
            owner = self.pick(scope.objects)
            tests += [f"{owner}.p is None", f"{owner}.p is not None", f"{owner}.n > 1", f"isinstance({owner}, B)"]
        test = str(self.pick(tests))
        if self.chance(6):
            return f"{test} {self.pick(('and', 'or'))} {self.test(scope)}"
        return test

    # statements

    def block(self, scope: Scope, length: int, depth: int) -> tuple[str, Scope]:
        """Statements one after the other, and the names after them."""
        lines = []
        for _ in range(1 + self.random.randrange(length)):
            text, scope = self.statement(scope, depth)
            lines.append(text)
        return "\n".join(lines), scope

    def statement(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        """One statement, and the names after it."""
        ways: list[Any] = [self._bind, self._bind, self._bind_container, self._object, self._unpack, self._evaluate]
        ways += [self._change_list] * 3 * bool(scope.lists) + [self._change_dict] * 2 * bool(scope.dicts)
        ways += [self._change_object] * 3 * bool(scope.objects)
        if depth:
            ways += [self._if, self._if, self._loop, self._loop, self._try, self._with, self._function, self._function]
        if scope.in_loop:
            ways.append(self._leave_loop)
        if scope.in_function:
            ways.append(self._return)
        found: tuple[str, Scope] = self.pick(ways)(scope, depth)
        return found

    def _bind(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        name = self._target(scope.values, "v", scope)
        return f"{name} = {self.value(scope, 3)}", scope.plus("values", name)

    def _target(self, names: tuple[str, ...], letter: str, scope: Scope) -> str:
        bound = [name for name in names if name in scope.own and name[0] == letter]
        return str(self.pick(bound)) if bound and not self.chance(3) else self.fresh(letter)

    def _bind_container(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        kind, letter = self.pick((("lists", "l"), ("dicts", "d"), ("functions", "f")))
        known, name = getattr(scope, kind), self._target(getattr(scope, kind), letter, scope)
        made = {
            "lists": f"[{self.value(scope)}]",
            "dicts": f'{{"a": {self.value(scope)}}}',
            "functions": self._callable(scope),
        }[kind]
        if known and self.chance(2):
            made = self.pick(known)
            if self.chance(2):
                made = f"{made} if {self.test(scope)} else {self.pick(known)}"
        return f"{name} = {made}", scope.plus(kind, name)

    def _callable(self, scope: Scope) -> str:
        ways = [f"lambda z: {self.value(replace(scope.plus('values', 'z'), own=frozenset()), 2)}"]
        ways += [f"lambda z, y={self.value(scope, 1)}: {self.pick(('y', 'z', '(y, z)'))}"]
        ways += [f"{self.pick(scope.lists)}.append"] if scope.lists else []
        plain = [name for name in scope.helpers if name[0] == "h"]
        ways += [f"functools.partial({self.pick(plain)}, {self.value(scope, 1)})", self.pick(plain)] if plain else []
        ways += [f"{self.pick(scope.objects)}.{self.pick(('put', 'get'))}"] if scope.objects else []
        return str(self.pick(ways))

    def _object(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        name = self._target(scope.objects, "o", scope)
        if scope.objects and (not scope.makes or self.chance(2)):
            made = self.pick(scope.objects)
            if self.chance(2):
                made = f"{made} if {self.test(scope)} else {self.pick(scope.objects)}"
        elif scope.makes:
            made = f"{self.pick(CLASSES)}({self.pick((self.value(scope), f'given={self.value(scope)}'))})"
        else:
            return self._bind(scope, depth)
        return f"{name} = {made}", scope.plus("objects", name)

    def _unpack(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        first, second = self.fresh("v"), self._target(scope.values, "v", scope)
        if scope.lists and self.chance(2):
            rest = self.fresh("v")
            return f"{first}, *{rest} = {self.pick(scope.lists)}", scope.plus("values", first, rest)
        made = f"{self.value(scope)}, {self.value(scope)}"
        return f"{first}, {second} = {made}", scope.plus("values", first, second)

    def _evaluate(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        return self.value(scope, 3), scope

    def _change_list(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        row, item = self.pick(scope.lists), self.value(scope)
        ways = [
            f"{row}.append({item})", f"{row}.extend([{item}])", f"{row}.insert(0, {item})", f"{row}[0] = {item}",
            f"{row}[-1] = {item}", f"{row}[0:1] = [{item}]", f"{row}.reverse()", f"{row}.append({item})",
            f"if len({row}) > 1:\n    {row}.pop()", f"if len({row}) > 1:\n    del {row}[0]", f"{row}[:] = [{item}]",
            f"{row}.clear()\n{row}.append(1)",
        ]  # fmt: skip
        ways += [f"{row} += [{item}]", f"{row} *= 2", f"{row} += ({item},)"] if row in scope.own else []
        return self.pick(ways), scope

    def _change_dict(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        table, item = self.pick(scope.dicts), self.value(scope)
        ways = [
            f'{table}["a"] = {item}', f'{table}["b"] = {item}', f'{table}["c"] = {item}', f"{table}.update(b={item})",
            f'{table}.update({{"a": {item}}})', f'{table}.pop("b", None)', f'{table}[str(1)] = {item}',
            f'for k in list({table}):\n    {table}[k] = {item}', f'if "b" in {table}:\n    del {table}["b"]',
        ]  # fmt: skip
        ways += [f'{table} |= {{"c": {item}}}'] if table in scope.own else []
        return self.pick(ways), scope

    def _change_object(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        owner, item = self.pick(scope.objects), self.value(scope)
        ways = [
            f"{owner}.p = {item}", f"{owner}.p = {item}", f'setattr({owner}, "p", {item})', f"{owner}.put({item})",
            f"{owner}.items.append({item})", f'{owner}.table["b"] = {item}', f"{owner}.n += 1",
            f"{owner}.extra = {item}", f"{owner}.shared = {item}", f"{owner}.first = {item}",
        ]  # fmt: skip
        return self.pick(ways), scope

    def _if(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        test, inside = self.test(scope), scope
        if scope.values and self.chance(3):
            name = self.pick(scope.values)
            test, inside = self.pick((
                (f"isinstance({name}, A)", scope.plus("objects", name)),
                (f"isinstance({name}, list) and {name}", scope.plus("lists", name)),
                (f"isinstance({name}, A) and {name}.p is not None", scope.plus("objects", name)),
            ))  # fmt: skip
            inside = replace(inside, own=scope.own)
        body, _ = self.block(inside, 3, depth - 1)
        text = f"if {test}:\n{indent(body, '    ')}"
        if self.chance(2):
            other, _ = self.block(scope, 2, depth - 1)
            text += f"\nelse:\n{indent(other, '    ')}"
        return text, scope

    def _loop(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        kind = self.pick(LOOPS)
        item, number = self.fresh("v"), self.fresh("i")
        inside = replace(scope, in_loop=True)
        head = f"for {number} in range(2):"
        if kind in ("for", "enumerate", "zip") and scope.lists:
            row = f"list({self.pick(scope.lists)})"
            inside = inside.plus("values", item)
            head = f"for {item} in {row}:"
            if kind == "enumerate":
                head, inside = f"for {number}, {item} in enumerate({row}):", inside.plus("ints", number)
            elif kind == "zip":
                head = f"for {item}, {number} in zip({row}, range(3)):"
        elif kind == "items" and scope.dicts:
            inside = inside.plus("values", item)
            head = f"for k, {item} in list({self.pick(scope.dicts)}.items()):"
        elif kind == "while":
            head = f"{number} = 0\nwhile {number} < {self.pick((1, 2, 3))}:\n    {number} += 1"
            inside = inside.plus("ints", number)
        else:
            inside = inside.plus("ints", number)
        body, _ = self.block(inside, 3, depth - 1)
        text = f"{head}\n{indent(body, '    ')}"
        if self.chance(4):
            other, _ = self.block(scope, 2, depth - 1)
            text += f"\nelse:\n{indent(other, '    ')}"
        return text, scope

    def _try(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        body, after = self.block(scope, 3, depth - 1)
        last, _ = self.block(scope, 2, 0)
        return f"try:\n{indent(body, '    ')}\nfinally:\n{indent(last, '    ')}", after

    def _with(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        body, after = self.block(scope, 3, depth - 1)
        return f"with contextlib.nullcontext():\n{indent(body, '    ')}", after

    def _function(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        name, parameter = self.fresh("f"), self.fresh("v")
        bound = [name_ for name_ in scope.values if name_ in scope.own and name_[0] == "v"]
        inside = replace(scope, own=frozenset(), in_loop=False, in_function=True).plus("values", parameter)
        lines, default = [], ""
        if bound and self.chance(2):
            outer = self.pick(bound)
            lines.append(f"nonlocal {outer}")
            inside = replace(inside, own=inside.own | {outer})
        if self.chance(3):
            extra = self.fresh("v")
            default = f", {extra}={self.value(scope, 1)}"
            inside = inside.plus("values", extra)
        body, inside = self.block(inside, 3, depth - 1)
        lines += [body, f"return {self.value(inside)}"]
        text = "\n".join(lines)
        return f"def {name}({parameter}{default}):\n{indent(text, '    ')}", scope.plus("functions", name)

    def _leave_loop(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        return f"if {self.test(scope)}:\n    {self.pick(('break', 'continue'))}", scope

    def _return(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        return f"if {self.test(scope)}:\n    return {self.value(scope)}", scope

    # definitions

    def helper(self, name: str, known: Scope) -> str:
        """A function of the module."""
        scope = known.plus("values", "a", "b", "key")
        lines = []
        if self.chance(2):
            lines.append("global STATE")
            scope = replace(scope, values=(*scope.values, "STATE"))
            lines.append(f"STATE = {self.value(scope, 1)}") if self.chance(2) else None
        scope = scope.plus("lists", "l0").plus("values", "v0")
        lines += [
            f"l0 = [a, {self.pick(('*rest', 'b', '*more.values()'))}]",
            f"v0 = {self.pick(('rest', 'more', 'key'))}",
        ]
        body, scope = self.block(scope, 4, 2)
        lines += [body, f"return {self.value(scope)}"]
        text = "\n".join(lines)
        return (
            f"def {name}(a=0, b={self.pick(CONSTANTS[:5])}, *rest, key={self.pick(CONSTANTS[:5])}, **more):\n"
            + indent(text, "    ")
        )

    def recursive(self, name: str, known: Scope) -> str:
        """A function that calls itself a few times."""
        scope = known.plus("values", "v0").plus("ints", "i0")
        first, scope = self.block(scope, 2, 1)
        deeper = f"{name}(i0 - 1, {self.value(scope, 1)})"
        last, after = self.block(scope.plus("values", "v9"), 2, 1)
        lines = [
            first,
            f"if i0 <= 0:\n    return {self.value(scope)}",
            f"v9 = {deeper}",
            last,
            f"return {self.value(after)}",
        ]
        return f"def {name}(i0, v0):\n" + indent("\n".join(lines), "    ")

    def method(self, head: str, scope: Scope, above: str = "") -> str:
        """A method of a class."""
        body, scope = self.block(scope, 2, 1)
        result = f"super().{above}" if above and self.chance(2) else self.value(scope)
        return f"    {head}\n" + indent(f"{body}\nreturn {result}", "        ")

    def cls(self, name: str, bases: str, known: Scope) -> str:
        """A class; those that derive from others define some of their methods again."""
        scope = replace(known, makes=False).plus("values", "value").plus("objects", "self")
        static, read = replace(scope, objects=()), replace(scope, values=known.values)
        derived = bool(bases)
        parts = [f"class {name}{bases}:"]
        if not derived or self.chance(2):
            parts.append(f"    shared = {self.pick(('1', '2', 'ITEMS'))}")
        if not derived or self.chance(3):
            first = "super().__init__(given)\n" if derived else ""
            kept = self.pick(("given", "(given, 1)", "1", "None", "[given]"))
            lines = f"{first}self.p = {kept}\nself.n = {self.pick((1, 2))}\n"
            lines += "self.items = [given]\nself.table = {'a': given}\nself.back = None"
            if self.chance(3):
                lines += f"\nif given is None:\n    self.extra = {self.pick(CONSTANTS)}"
            parts.append("    def __init__(self, given):\n" + indent(lines, "        "))
        methods = [
            self.method("def put(self, value):", scope, "put(value)" if derived else ""),
            self.method("def get(self, value=1):", scope, "get(value)" if derived else ""),
            self.method("def many(self, *value):", scope),
            "    @property\n" + self.method("def first(self):", read) + "\n    @first.setter" + SETTER,
            "    @staticmethod\n" + self.method("def same(value):", static),
            "    @classmethod\n    def made(cls, value):\n        return cls(value)",
        ]  # fmt: skip
        if derived:
            methods = [method for method in methods[:2] if self.chance(2)]
        return "\n".join([*parts, *methods]) + ("" if len(parts) + len(methods) > 1 else "\n    pass")

    def program(self) -> str:
        """The text of a whole file."""
        known = Scope(values=("STATE",), lists=("ITEMS",), dicts=("TABLE",))
        texts = [
            "import contextlib\nimport functools\n\nimport torch\nfrom torch import nn\n",
            f'STATE = {self.pick(CONSTANTS[:5])}\nITEMS = [{self.pick(CONSTANTS)}]\nTABLE = {{"a": 1}}\n',
        ]
        for place, bases in enumerate(("", self.pick(("(A)", "")), "(A)", "(B, C)")):
            bases = "(A)" if place == 1 else bases
            texts.append(self.cls(CLASSES[place], bases, replace(known, helpers=())))
        for number in range(2):
            texts.append(self.helper(f"h{number}", known))
            known = replace(known, helpers=(*known.helpers, f"h{number}"))
        texts.append(self.recursive("r0", known))
        known = replace(known, helpers=(*known.helpers, "r0"))
        net = replace(known, makes=False).plus("objects", "self", "self.box")
        lines = [
            "class Net(nn.Module):",
            "    shared = 1",
            "    first = 2",
            "    def __init__(self):",
            "        super().__init__()",
            f"        self.p = {self.pick(CONSTANTS)}\n        self.n = 1\n        self.items = [1]",
            f"        self.table = {{'a': {self.pick(CONSTANTS)}}}",
            f"        self.box = {self.pick(CLASSES)}({self.pick(CONSTANTS)})",
            self.method("def put(self, value):", net.plus("values", "value")),
            self.method("def get(self, value=None):", net.plus("values", "value")),
            self.method("def many(self, *value):", net.plus("values", "value")),
            "    @staticmethod\n    def same(value):\n        return value",
            "    @classmethod\n    def made(cls, value):\n        return A(value)",
            "    def forward(self, x, flag: bool):",
            indent("v0 = x\nl0 = [x]\nd0 = {'a': x}\no0 = A(x)", "        "),
        ]
        inside = replace(known.plus("objects", "self", "self.box", "o0").plus("values", "x", "v0"), flags=("flag",))
        inside = inside.plus("lists", "l0", "self.items").plus("dicts", "d0", "self.table")
        inside = replace(inside, own=frozenset({"v0", "l0", "d0", "o0"}))
        body, scope = self.block(inside, 7, 3)
        lines.append(indent(f"{body}\nreturn {self.value(scope)}", "        "))
        return "\n\n".join(texts) + "\n\n" + "\n".join(lines) + "\n"
