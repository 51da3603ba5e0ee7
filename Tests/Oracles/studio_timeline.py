"""Looks closely at the timeline of a running `deadzone studio` in a headless Chromium: by pointer, by keys and by a drag. Prints what
the page shows as JSON.

usage: studio_timeline.py < {"address": "http://127.0.0.1:…/#token=…"}      the scenario lasts a day
"""

import json

from browser import main
from studio_page import Studio

NEAR = "document.querySelectorAll('#timeline .near').length"
VIEW = "document.querySelector('#timeline svg.time').getAttribute('viewBox')"


def place(studio, share):
    """A point of the first strategy's lanes, at a share of the time axis."""
    return json.loads(studio.value(f"""(() => {{
      const block = document.querySelector('#timeline svg.block');
      block.scrollIntoView({{block: 'center'}});
      const r = block.getBoundingClientRect();
      return JSON.stringify([r.left + (132 + 980 * {share}) / 1120 * r.width, r.top + r.height / 2]); }})()"""))


def mouse(studio, kind, share, **more):
    x, y = place(studio, share)
    studio.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)


def types(studio):
    """Changes the scenario, and waits for the next results."""
    studio.value("window.kept = document.querySelector('#timeline .lanes')")
    studio.select("every: ")
    studio.key("ArrowRight")
    studio.insert("1")
    studio.until("window.kept !== document.querySelector('#timeline .lanes')")
    studio.settled()


def use(browser, wish):
    found = {}
    studio = Studio(browser, wish["address"])
    studio.settled()
    found["picture"] = studio.value(NEAR)

    # The pointer: details, until the text changes.
    mouse(studio, "mouseMoved", 0.3)
    found["hovered"] = studio.until(NEAR)
    types(studio)
    found["typed"] = studio.value(NEAR)

    # A drag that begins before the details arrive zooms.
    studio.value("""(() => { const fetched = window.fetch;
      window.fetch = function () { window.held = true; return fetched.apply(this, arguments); }; })()""")
    mouse(studio, "mousePressed", 0.3, button="left", clickCount=1)
    mouse(studio, "mouseMoved", 0.35, button="left", buttons=1)
    studio.until("window.held")
    studio.value("new Promise(done => setTimeout(done, 1500))")
    mouse(studio, "mouseMoved", 0.5, button="left", buttons=1)
    mouse(studio, "mouseReleased", 0.5, button="left", clickCount=1)
    studio.until(NEAR)
    found["isDragKept"] = "lanes-0=" in studio.value("location.hash")

    # Keys, a hidden strategy and an open table outlive the new drawing of a zoomed timeline, which has its details at once.
    studio.value("document.querySelectorAll('#timeline .controls [aria-pressed]')[1].click()")
    studio.value("document.querySelector('#timeline details').open = true")
    types(studio)
    found["zoomed"] = studio.value(NEAR)
    found["isHidden"] = studio.value("document.querySelectorAll('#timeline .strategy')[1].hidden")
    found["isOpen"] = studio.value("document.querySelector('#timeline details').open")
    found["view"], found["hash"] = studio.value(VIEW), studio.value("location.hash")
    studio.value("document.querySelector('#timeline .lanes').focus()")
    studio.key("0", "Digit0")
    types(studio)
    # The focus asks for the details, and walks on while they arrive.
    studio.value("document.querySelector('#timeline .lanes').focus()")
    studio.value("document.querySelector('#timeline summary').focus()")
    studio.until(NEAR)
    found["isFocused"] = studio.value("document.activeElement === document.querySelector('#timeline summary')")
    found["errors"] = len([e for e in browser.events if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")])
    return found


if __name__ == "__main__":
    main(use)
