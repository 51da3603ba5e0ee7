"""Lists each preset with the version that it was read at, the version that was run, and the newest one that an index of
packages or a repository has: upstream.py RESULTS. Without a network, the newest version is not available."""
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import debian
import presets
import sources
from clients import CLIENTS

SECONDS = 60
ABSENT = "not available here"


def said(words):
    """Returns the output of a command; None if it is missing, fails or takes too long."""
    if not shutil.which(words[0]):
        return None
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def of_python(client):
    text = said([sys.executable, "-m", "pip", "index", "versions", "--disable-pip-version-check", "--retries", "0", client.library])
    found = text and re.search(r"\(([^)]+)\)", text)
    return found[1] if found else None


def of_debian(client):
    text = said(["apt-cache", "policy", client.program.package])
    found = text and re.search(r"Candidate: (\S+)", text)
    return found[1] if found and found[1] != "(none)" else None


def of_repository(client):
    program = client.program
    if getattr(program, "is_copy", False):
        return None
    repository = program.repositories[0] if isinstance(program, sources.Script) else program.repository
    text = said(["git", "-c", "core.askPass=true", "ls-remote", f"https://github.com/{repository.name}", "HEAD"])
    return text.split()[0][:7] if text else None


def newest(client):
    """Returns the kind of index and the newest version in it."""
    if client.program is None:
        return "PyPI", of_python(client)
    if isinstance(client.program, debian.Program):
        return "Debian", of_debian(client)
    return "repository", of_repository(client)


def verdict(ran, found):
    if found is None:
        return ""
    if ran is None:
        return "not run"
    return "same" if found in ran else "newer"


def rows(versions):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(newest, CLIENTS))
    for client, (index, version) in zip(CLIENTS, found):
        ran = versions.get(client.library)
        yield [client.preset, client.library, presets.read_at(client.preset), ran or "", f"{index}: {version or ABSENT}", verdict(ran, version)]
    for name in presets.names():
        if name in presets.UNRUN:
            yield [name, "", presets.read_at(name), "", presets.UNRUN[name], ""]


def main():
    file = Path(sys.argv[1]) / "truth.json"
    versions = json.loads(file.read_text())["versions"] if file.exists() else {}
    lines = [["preset", "client", "read at", "run at", "newest", ""], *sorted(rows(versions))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        print("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip())
    absent = presets.missing(client.preset for client in CLIENTS)
    if absent:
        sys.exit(f"neither run nor in the list of presets that cannot be run: {', '.join(absent)}")


main()
