"""Reads the faults of Tests/Mutants and plants them in one program, in which at most one is active.

A function with faults is written once for each of them, and once without: `if deadzone_fault(17) { … } else { … }`.
DEADZONE_FAULT selects the active fault and is read once. A stored value is selected in the same way:
`deadzone_fault(17) ? … : …`. Other places (an enumeration case, a raw value) allow no such selection, so they have no
faults.
"""

import os.path
import re

HEADER = """static inline _Bool deadzone_fault(int number) {
    extern int deadzone_awake;
    extern unsigned char *deadzone_reached;
    deadzone_reached[number] = 1;
    return deadzone_awake == number;
}
"""
# A program and the programs that it starts mark the faults that they reach in one shared file.
SOURCE = """#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "CFaults.h"
static unsigned char unshared[1 << 16];
int deadzone_awake;
unsigned char *deadzone_reached = unshared;
__attribute__((constructor)) static void wake(void) {
    const char *number = getenv("DEADZONE_FAULT"), *path = getenv("DEADZONE_REACHED");
    deadzone_awake = number ? atoi(number) : 0;
    int file = path ? open(path, O_RDWR) : -1;
    void *shared = file < 0 ? MAP_FAILED : mmap(0, sizeof unshared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) deadzone_reached = shared;
}
"""
MOST = 1 << 16
MODULE = {"Sources/CFaults/include/CFaults.h": HEADER, "Sources/CFaults/faults.c": SOURCE}

WORDS = r"(?:(?:@\w+(?:\([^)]*\))?|\w+(?:\(set\))?) )*"
FUNCTION = re.compile(rf"\s*{WORDS}(?:func\b|init[?!]?[(<]|subscript\b|deinit\b|var \w+: |(?:get|set|didSet|willSet)\b)")
TYPE = re.compile(rf"\s*{WORDS}(?:struct|class|enum|extension|actor|protocol) ")
ACCESSOR = re.compile(r"\s*(?:mutating |nonmutating |@\S+ )*(?:get|set|_read|_modify|didSet|willSet|unsafe\w+)\b[^=.]*\{")
STORED = re.compile(rf"(\s*{WORDS}(?:let|var) \w+(?:: [^=]+)? = )(.*?)()$")
ELEMENT = re.compile(r"(\s*(?:\w+: )?)(.*?)(,?)$")


def module_of(path):
    """Returns the module of a file: the folder under Sources."""
    return path.split("/")[1]


def part_of(path, manifest):
    """Returns the part of a module that a file belongs to, as Package.swift declares them, or else its module."""
    module, folder = module_of(path), path.split("/")[2]
    declared = re.search(rf'module\(\s*"{module}",\s*parts: \[([^\]]*)\]', manifest)
    return folder if declared and f'"{folder}"' in declared[1] else module


class Fault:
    """A changed line in the file of this name that contains the original line once."""

    def __init__(self, room, block):
        head, *lines = block.splitlines()
        self.room = room
        self.file, self.about = head.split(": ", 1)
        # A line that begins with a blank continues the previous one.
        said = {line[0]: line[2:] for line in re.split(r"\n(?! )", "\n".join(lines))}
        self.old, self.new, self.why = said["-"], said["+"], said.get("=")
        self.number, self.path, self.line = 0, None, None

    def find(self, files):
        """True if exactly one file contains the original text exactly once."""
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
    """Returns the first line of a declaration, if the line at `place` opens its body."""
    depth = indent(lines[place])
    while place > 0 and (indent(lines[place]) > depth or re.match(r"\s*([){]|where\b|->)", lines[place])):
        place -= 1
    return lines[place]


def body_of(lines, place):
    """Returns the first and last line of the outermost function body that contains the line at `place`."""
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
    """Returns the position where the body of a one-line function opens; None if the line is not one."""
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
    """True if the fault changes the body, and not the declaration before it."""
    return brace is not None and brace < len(os.path.commonprefix([line, fault.changed(line)]))


def choice(faults, written, sound):
    """Returns lines with their faults: all faulty bodies one after the other, then the original one."""
    out, word = [], ""
    for fault, body in zip(faults, written):
        out += [(f"{word}if deadzone_fault({fault.number}) {{", fault)] + [(line, fault) for line in body]
        word = "} else "
    return out + [("} else {", faults)] + [(line, faults) for line in sound] + [("}", faults)]


def chosen(pattern, line, faults):
    """Returns a line that selects a value; None if anything else in the line changes."""
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
    """Returns the lines of the file with all of these faults, each with its faults, and the faults that cannot be
    planted."""
    lines, groups, left = text.split("\n"), {}, []
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
            left += group
            continue
        out += [(line, None) for line in lines[at:first]] + rows
        at = last + 1
    return out + [(line, None) for line in lines[at:]], left


def uninlined(files):
    """Returns the files without the marks that let other modules inline a function."""
    mark = re.compile(rb"@(?:inlinable|usableFromInline) +|^ *@(?:inlinable|usableFromInline)\n", re.MULTILINE)
    return {name: mark.sub(b"", text) if name.startswith("Sources/") and name.endswith(".swift") else text
            for name, text in files.items()}


def only(text, wanted):
    """Returns Package.swift with only the wanted tests. Warnings are not errors there."""
    row = re.compile(r'^        tests\(\s*"(\w+)",.*?\][^\]]*?\),\n', re.DOTALL | re.MULTILINE)
    return row.sub(lambda row: row[0] if row[1] + "Tests" in wanted else "", text.replace(".treatAllWarnings(as: .error),", ""))
