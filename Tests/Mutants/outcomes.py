"""Stores the outcomes of the faults in the checkout, and writes them into the page."""

import json
import os
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "README.md"
# The folder of the outcomes and of the copy of the checkout.
STORE = pathlib.Path(os.environ.get("MUTANTS_STORE", HERE.parent.parent / ".build"))
KEPT = STORE / "mutants-outcomes.json"
HEAD = ["module", "planted", "killed", "of them by laws alone", "survived", "not tried", "equivalent"]


def kept(seed=None):
    """Returns the file with the outcomes of the faults of this folder, or of those drawn from a seed."""
    return KEPT if seed is None else KEPT.with_name(f"mutants-drawn-{seed}.json")


def read(seed=None):
    return json.loads(kept(seed).read_text()) if kept(seed).is_file() else {}


def keep(known, seed=None):
    kept(seed).write_text(json.dumps(known, indent=1))


def key(fault):
    return "\n".join([fault.room, fault.file, fault.old, fault.new])


def table(every, known, by="room"):
    """Returns the known outcomes of all faults by module or by operator, and the list of survivors."""
    head = ["module" if by == "room" else by, *HEAD[1:]]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for room in sorted({getattr(fault, by) for fault in every}) + ["all"]:
        of = [fault for fault in every if room in (getattr(fault, by), "all")]
        tried = [known[key(fault)] for fault in of if not fault.why and key(fault) in known]
        planted, killed = sum(not fault.why for fault in of), [by for by in tried if by]
        alone = sum(by.startswith("laws ") for by in killed)
        row = [planted, len(killed), alone, len(tried) - len(killed), planted - len(tried), len(of) - planted]
        lines.append(f"| {room} | {' | '.join(map(str, row))} |")
    left = [f"- {fault.room}, {fault.file}: {fault.about}" for fault in every
            if not fault.why and not known.get(key(fault), "untried")]
    return "\n".join(lines), "\n".join(left) or "- none"


def write(rows, left):
    """Replaces the first table of the chapter Results of the page, and the list after it."""
    head, chapter = PAGE.read_text().split("## Results")
    chapter = re.sub(r"\| module \|.*?(?=\n\n)", lambda _: rows, chapter, count=1, flags=re.DOTALL)
    chapter = re.sub(r"(that are left.*?:\n\n).*?(?=\n\n|\n?$)", lambda found: found[1] + left, chapter, count=1, flags=re.DOTALL)
    PAGE.write_text(f"{head}## Results{chapter.rstrip()}\n")


def survivors(every, known):
    """Returns the drawn faults that no test detects, each with its place, its operator and its two texts."""
    return "".join(
        f"{fault.room}: {fault.path}:{fault.line + 1}: {fault.operator}"
        f"{'' if known[key(fault)] is None else ' (no test of the module and no law reaches it)'}\n"
        f"  {fault.about}\n- {fault.old}\n+ {fault.new}\n\n"
        for fault in every if not fault.why and not known.get(key(fault), "untried"))


def write_drawn(seed, every, known):
    """Replaces the tables and the list of the chapter on drawn faults."""
    rows, left = table(every, known)
    ways, _ = table(every, known, by="operator")
    head, chapter = PAGE.read_text().split("## Drawn faults")
    text, _, rest = chapter.partition("<!-- drawn -->")
    rest = rest.partition("<!-- end of drawn -->")[2]
    PAGE.write_text(f"{head}## Drawn faults{text}<!-- drawn -->\n\nSeed {seed}:\n\n{rows}\n\n{ways}\n\nThe survivors:\n\n{left}\n\n"
                    f"<!-- end of drawn -->{rest}")
