"""Opens a page of `--watch` from disk in a headless Chromium, replaces it, and prints whether the page notices, as JSON.

usage: watched_page.py < {"page": "out/report.html", "next": "next/report.html"}      each with its picture beside it
"""

import shutil
import time

from browser import main
from studio_page import Studio


def use(browser, wish):
    page = Studio(browser, "file://" + wish["page"])
    page.until("document.readyState === 'complete' && !!document.querySelector('h1')")
    first = page.value("window.isFirst = true, document.querySelector('h1').textContent")
    # Several looks at the picture.
    time.sleep(2)
    stayed = page.value("window.isFirst === true")
    for end in ["", ".svg"]:
        shutil.copy(wish["next"] + end, wish["page"] + end)
    page.until("!window.isFirst && !!document.querySelector('h1')")
    errors = [e["params"] for e in browser.events if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")]
    return {"first": first, "stayed": stayed, "second": page.value("document.querySelector('h1').textContent"), "errors": len(errors)}


if __name__ == "__main__":
    main(use)
