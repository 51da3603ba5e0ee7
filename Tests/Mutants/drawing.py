"""Draws faults by operator and by chance, from a seed, over all lines of the simulation, of statistics and of gates.

The rank of a fault is a hash of the seed, its file, its text and the text around it. So an edit of a file moves only the
faults near the edit. Each part receives a share by the square root of its lines, and each operator a fixed weight.
"""

import hashlib
import math
import pathlib
import re

import lexing
import operators
import planting

PARTS = ["AccessPath", "Captures", "Client", "ClientHost", "Compare", "Connections", "Device", "Documents", "Engine", "Fit", "Journal",
         "Messages", "Metrics", "Network",
         "PacketNetwork", "PhoneEnd", "PhoneSimulation", "Primitives", "Protocols", "Replay", "Runs", "Scenarios", "Server", "Settings",
         "Strategies", "System", "Traces", "Transport", "World"]
# How often an operator is drawn, divided by the number of its places; then all operators are about equally frequent.
WEIGHTS = {"comparison": 3, "sign": 3, "constant": 1, "logic": 6, "negation": 5, "dropped not": 10, "min and max": 12,
           "dropped statement": 1, "early return": 0.6, "neighbouring name": 0.8, "neighbouring case": 1.2, "swapped arguments": 3}
# Several candidates for each fault, because many do not compile.
SPARE = 3


class DrawnFault(planting.Fault):
    """A fault at a known place. The text that occurs once is the changed line and as many lines around it as that needs."""

    def __init__(self, room, path, place, old, new, line, whole):
        self.room, self.path, self.file, self.operator = room, path, path.rpartition("/")[2], place.operator
        self.old, self.new, self.line, self.whole = old, new, line, whole
        self.about = f"{place.operator} at line {line + 1}: {place.about}"
        self.number, self.why = 0, None

    def changed(self, text):
        """Returns a text of the file with the fault: the whole file, a body, or the changed line alone."""
        if self.old in text:
            return text.replace(self.old, self.new)
        return self.whole[1] if text == self.whole[0] else text

    def written(self):
        """Returns the fault in the format of Tests/Mutants."""
        return f"{self.file}: {self.about}\n- {self.old}\n+ {self.new}\n"


def rank(seed, *parts):
    """Returns a number between 0 and 1 that depends on the seed and these texts alone."""
    text = "\0".join(map(str, (seed, *parts)))
    return (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") + 0.5) / 2**64


def unique(text, lines, line, place, bounds):
    """Returns the original and the faulty text with as many lines around them as make the text occur once; None if the
    whole body does not."""
    begin = sum(len(one) + 1 for one in lines[:line])
    last = line + text.count("\n", place.start, place.end)
    first = line
    while True:
        start = begin - sum(len(one) + 1 for one in lines[first:line])
        old = "\n".join(lines[first : last + 1])
        if text.count(old) == 1:
            new = old[: place.start - start] + place.new + old[place.end - start :]
            return old, new
        if last < bounds[1] and lines[last + 1].strip():
            last += 1
        elif first > bounds[0] and lines[first - 1].strip():
            first -= 1
        else:
            return None


def at_place(room, path, text, lines, place):
    """Returns the fault at a place; None if it cannot be planted together with others or written in the format."""
    line = text.count("\n", 0, place.start)
    brace = planting.brace_of(lines[line])
    begin = place.start - (text.rfind("\n", 0, place.start) + 1)
    if brace is not None:
        bounds = (line, line) if begin > brace else None
    else:
        bounds = planting.body_of(lines, line)
        if bounds is None and is_value(lines, line):
            bounds = (line, line)
    if bounds is None or line + text.count("\n", place.start, place.end) > bounds[1]:
        return None
    found = unique(text, lines, line, place, bounds)
    if not found:
        return None
    end = min(place.end, place.start - begin + len(lines[line]))
    whole = (lines[line], lines[line][:begin] + place.new + lines[line][begin + end - place.start :])
    # The blanks before the text are no part of the format.
    fault = DrawnFault(room, path, place, found[0].strip(), found[1].strip(), line, whole)
    if text.count(fault.old) != 1:
        fault.old, fault.new = found
    return fault if is_written(fault) else None


def is_value(lines, line):
    """True if a line outside functions is a stored value or an element of one, which can be selected."""
    stored = planting.STORED.match(lines[line])
    if stored and stored[2] and stored[2].count("(") == stored[2].count(")") and stored[2].count("[") == stored[2].count("]"):
        return not stored[2].endswith("{")
    opener = line - 1
    while opener > 0 and (not lines[opener].strip() or planting.indent(lines[opener]) >= planting.indent(lines[line])):
        opener -= 1
    return bool(re.search(r"\b(let|var)\b.*= .*[\[(]$", lines[opener])) and "case " not in lines[line]


def is_written(fault):
    """True if the format of Tests/Mutants holds the fault."""
    again = planting.read(fault.room, fault.written())
    return len(again) == 1 and (again[0].old, again[0].new) == (fault.old, fault.new) and fault.old != fault.new


def candidates(seed, room, structures, known, count):
    """Returns the faults of a part in the order of their ranks, at most one in each line."""
    ranked, near = [], {}
    for code in structures.values():
        for owner, fields in code.fields.items():
            near.setdefault(owner, {}).update(fields)
    for path, code in structures.items():
        code.near = near
        lines, seen = code.text.split("\n"), {}
        for place in operators.places(code, known):
            line = code.text.count("\n", 0, place.start)
            column = place.start - (code.text.rfind("\n", 0, place.start) + 1)
            near_text = (path, place.operator, "\n".join(lines[max(0, line - 1) : line + 2]), column, place.new)
            seen[near_text] = seen.get(near_text, 0) + 1
            chance = rank(seed, *near_text, seen[near_text]) ** (1 / WEIGHTS[place.operator])
            ranked.append((-chance, path, place.start, place.new, place))
    drawn, taken = [], set()
    for _, path, _, _, place in sorted(ranked, key=lambda one: one[:4]):
        text = structures[path].text
        line = text.count("\n", 0, place.start)
        if (path, line) in taken:
            continue
        if fault := at_place(room, path, text, text.split("\n"), place):
            drawn.append(fault)
            taken.add((path, line))
        if len(drawn) == count:
            break
    return drawn


def shares(sources, parts, count):
    """Returns the number of faults of each part."""
    roots = {room: math.sqrt(sum(text.count("\n") for name, text in sources.items() if parts[name] == room)) for room in PARTS}
    whole = sum(roots.values())
    return {room: max(1, round(count * root / whole)) for room, root in roots.items()}


def draw(seed, count, sources, parts):
    """Returns the candidates of each part, several for each fault that is wanted, and the wanted number of each."""
    structures = {path: lexing.Structure(text) for path, text in sorted(sources.items())}
    known, wanted, found = operators.Known(structures.values()), shares(sources, parts, count), {}
    for room in PARTS:
        of = {path: code for path, code in structures.items() if parts[path] == room}
        found[room] = candidates(seed, room, of, known, SPARE * wanted[room])
    return found, wanted


def equivalents(folder, sources):
    """Returns the faults that no test can detect, with their reasons: by the file that they change and by its text then."""
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.txt")):
        for fault in planting.read(path.stem, path.read_text()):
            if fault.why and fault.find(sources):
                found[fault.path, fault.changed(sources[fault.path])] = fault.why
    return found
