"""Stores the outcomes of the faults in the checkout, and writes them into the page."""

import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "README.md"
KEPT = HERE.parent.parent / ".build/mutants-outcomes.json"
HEAD = ["module", "planted", "killed", "of them by laws alone", "survived", "not tried", "equivalent"]


def read():
    return json.loads(KEPT.read_text()) if KEPT.is_file() else {}


def keep(known):
    KEPT.write_text(json.dumps(known, indent=1))


def key(fault):
    return "\n".join([fault.room, fault.file, fault.old, fault.new])


def table(every, known):
    """Returns the known outcomes of all faults by module, and the list of survivors."""
    lines = [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|"]
    for room in sorted({fault.room for fault in every}) + ["all"]:
        of = [fault for fault in every if room in (fault.room, "all")]
        tried = [known[key(fault)] for fault in of if not fault.why and key(fault) in known]
        planted, killed = sum(not fault.why for fault in of), [by for by in tried if by]
        alone = sum(by.startswith("laws ") for by in killed)
        row = [planted, len(killed), alone, len(tried) - len(killed), planted - len(tried), len(of) - planted]
        lines.append(f"| {room} | {' | '.join(map(str, row))} |")
    left = [f"- {fault.room}, {fault.file}: {fault.about}" for fault in every
            if not fault.why and known.get(key(fault), "untried") is None]
    return "\n".join(lines), "\n".join(left) or "- none"


def write(rows, left):
    """Replaces the first table of the chapter Results of the page, and the list after it."""
    head, chapter = PAGE.read_text().split("## Results")
    chapter = re.sub(r"\| module \|.*?(?=\n\n)", lambda _: rows, chapter, count=1, flags=re.DOTALL)
    chapter = re.sub(r"(that are left.*?:\n\n).*?(?=\n\n|\n?$)", lambda found: found[1] + left, chapter, count=1, flags=re.DOTALL)
    PAGE.write_text(f"{head}## Results{chapter.rstrip()}\n")
