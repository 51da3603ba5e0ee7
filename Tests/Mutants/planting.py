"""Faults as Tests/Mutants tells them, and how many of them stand in one program, all asleep but one.

A function with faults is written out once for each of them, and once without: `if deadzone_fault(17) { … } else { … }`. Which is
awake is read once, from DEADZONE_FAULT. A stored value chooses in the same way, `deadzone_fault(17) ? … : …`. What stands
elsewhere (a case of an enumeration, a raw value) has no such choice: it has to be planted alone.
"""

import os.path
import re

HEADER = """int deadzone_awake_fault(void);
static inline _Bool deadzone_fault(int number) { extern int deadzone_awake; return deadzone_awake == number; }
"""
SOURCE = """#include <stdlib.h>
#include "CFaults.h"
int deadzone_awake;
__attribute__((constructor)) static void wake(void) {
    const char *number = getenv("DEADZONE_FAULT");
    deadzone_awake = number ? atoi(number) : 0;
}
"""
MODULE = {"Sources/CFaults/include/CFaults.h": HEADER, "Sources/CFaults/faults.c": SOURCE}

WORDS = r"(?:(?:@\w+(?:\([^)]*\))?|\w+(?:\(set\))?) )*"
FUNCTION = re.compile(rf"\s*{WORDS}(?:func\b|init[?!]?[(<]|subscript\b|deinit\b|var \w+: |(?:get|set|didSet|willSet)\b)")
TYPE = re.compile(rf"\s*{WORDS}(?:struct|class|enum|extension|actor|protocol) ")
ACCESSOR = re.compile(r"\s*(?:mutating |nonmutating |@\S+ )*(?:get|set|_read|_modify|didSet|willSet|unsafe\w+)\b[^=.]*\{")
STORED = re.compile(rf"(\s*{WORDS}(?:let|var) \w+(?:: [^=]+)? = )(.*?)()$")
ELEMENT = re.compile(r"(\s*(?:\w+: )?)(.*?)(,?)$")


class Fault:
    """A line that changes, in the one file of its name that holds it once."""

    def __init__(self, room, block):
        head, *lines = block.splitlines()
        self.room = room
        self.file, self.about = head.split(": ", 1)
        # A line that begins with a blank goes on with the one before it.
        said = {line[0]: line[2:] for line in re.split(r"\n(?! )", "\n".join(lines))}
        self.old, self.new, self.why = said["-"], said["+"], said.get("=")
        self.number, self.path, self.line = 0, None, None

    def find(self, files):
        """True if there is one place for it."""
        names = [name for name, text in files.items() if name.endswith("/" + self.file) and text.count(self.old) == 1]
        if len(names) != 1:
            return False
        self.path = names[0]
        self.line = files[self.path].split(self.old)[0].count("\n")
        return True

    def changed(self, text):
        return text.replace(self.old, self.new)


def read(room, text):
    return [Fault(room, block) for block in re.split(r"\n{2,}", text.strip())]


def indent(line):
    return len(line) - len(line.lstrip())


def head_of(lines, place):
    """The line that a declaration begins with, if the line at `place` opens its body."""
    depth = indent(lines[place])
    while place > 0 and (indent(lines[place]) > depth or re.match(r"\s*([){]|where\b|->)", lines[place])):
        place -= 1
    return lines[place]


def body_of(lines, place):
    """First and last line of the body that the line at `place` stands in, the outermost that is a function's."""
    found, depth = None, indent(lines[place])
    for opener in range(place - 1, -1, -1):
        line = lines[opener]
        if not line.strip() or line.lstrip().startswith("#") or indent(line) >= depth:
            continue
        depth = indent(line)
        if not line.endswith("{"):
            continue
        head = head_of(lines, opener)
        if TYPE.match(head):
            break
        if FUNCTION.match(head) and not ACCESSOR.match(lines[opener + 1]):
            end = next(at for at in range(opener + 1, len(lines)) if lines[at].strip() and indent(lines[at]) <= depth)
            found = (opener + 1, end - 1)
    return found


def brace_of(line):
    """Where the body of a function of one line opens; None if it is none."""
    if not (FUNCTION.match(line) and line.endswith(" }")):
        return None
    depth = 0
    for place, sign in enumerate(line):
        depth += (sign in "([") - (sign in ")]")
        if depth == 0 and sign == "=" and line[place - 1 : place + 2] == " = ":
            return None
        if depth == 0 and sign == "{":
            return place
    return None


def within(brace, line, fault):
    """The fault is of the body, and not of what stands before it."""
    return brace is not None and brace < len(os.path.commonprefix([line, fault.changed(line)]))


def choice(faults, written, sound):
    """Lines, each with the fault it is of: all bodies one after the other, and the sound one."""
    out, word = [], ""
    for fault, body in zip(faults, written):
        out += [(f"{word}if deadzone_fault({fault.number}) {{", fault)] + [(line, fault) for line in body]
        word = "} else "
    return out + [("} else {", faults)] + [(line, faults) for line in sound] + [("}", faults)]


def chosen(pattern, line, faults):
    """A value that is chosen, in a line of its own; None if something else in the line changes."""
    sound = pattern.match(line)
    if not sound or not sound[2]:
        return None
    text = f"({sound[2]})"
    for fault in reversed(faults):
        new = pattern.match(fault.changed(line))
        if not new or new[2] == sound[2] or new[1] != sound[1] or new[3] != sound[3]:
            return None
        text = f"(deadzone_fault({fault.number}) ? ({new[2]}) : {text})"
    return [(sound[1] + text + sound[3], faults)]


def planted(text, faults):
    """The file with all of these in it: its lines, each with the faults it is of, and those that must be planted alone."""
    lines, groups, alone = text.split("\n"), {}, []
    for fault in sorted(faults, key=lambda fault: fault.number):
        line = lines[fault.line]
        if within(brace_of(line), line, fault):
            place = (fault.line, fault.line)
        else:
            place = body_of(lines, fault.line) or (fault.line, fault.line)
        groups.setdefault(place, []).append(fault)
    out, at = [("public import CFaults", list(faults))], 0
    for (first, last), group in sorted(groups.items()):
        body = lines[first : last + 1]
        written = [fault.changed("\n".join(body)).split("\n") for fault in group]
        brace = brace_of(body[0]) if first == last else None
        if all(within(brace, body[0], fault) for fault in group):
            rows = choice(group, [[line[0][brace + 1 : -1]] for line in written], [body[0][brace + 1 : -1]])
            rows = [(body[0][: brace + 1], group), *rows, ("}", group)]
        elif body_of(lines, group[0].line) == (first, last):
            rows = choice(group, written, body)
        else:
            rows = chosen(STORED, body[0], group) or chosen(ELEMENT, body[0], group)
        if rows is None:
            alone += group
            continue
        out += [(line, None) for line in lines[at:first]] + rows
        at = last + 1
    return out + [(line, None) for line in lines[at:]], alone


def manifest(text, wanted):
    """Package.swift with the module that knows which fault is awake, and of its tests only those that are wanted; warnings are no
    faults of a fault."""
    text = text.replace(".treatAllWarnings(as: .error),", "").replace("+ system.map {", '+ (system + ["CFaults"]).map {', 1)
    text = text.replace("\n    targets: [", '\n    targets: [.target(name: "CFaults", path: "Sources/CFaults"),', 1)
    row = re.compile(r'^        tests\(\s*"(\w+)",.*?\][^\]]*?\),\n', re.DOTALL | re.MULTILINE)
    return row.sub(lambda row: row[0] if row[1] + "Tests" in wanted else "", text)
