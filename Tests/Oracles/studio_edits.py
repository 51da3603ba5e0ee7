"""Edits a scenario in a running `deadzone studio` in a headless Chromium: by dragging, by search, by deleting a client and by the undo key.
Prints what the page shows as JSON.

usage: studio_edits.py < {"address": "http://127.0.0.1:…/#token=…", "slider": "ping", "client": "patient", "other": "eager",
                          "search": "chat", "pictures": "folder or null"}
"""

import json

from browser import main
from studio_page import Studio

SAID = """(() => { const status = document.getElementById('status'); window.said = [];
  new MutationObserver(() => window.said.push(status.textContent)).observe(status, {childList: true, characterData: true,
  subtree: true}); })()"""


def visible(studio):
    """The primary figures that a reader sees while a slider of the last client is in the middle of the window."""
    return studio.value("""(() => {
      const slider = [...document.querySelectorAll('.client[open] .slider')].filter(s => s.getClientRects().length).pop();
      slider.scrollIntoView({block: 'center'});
      const box = document.getElementById('answer').getBoundingClientRect();
      return [...document.querySelectorAll('#figures tr:first-child th, #figures th[scope=row]')].filter(h => {
        const r = h.getBoundingClientRect();
        return r.top >= Math.max(0, box.top) - 1 && r.bottom <= Math.min(innerHeight, box.bottom) + 1;
      }).map(h => h.textContent).join('|'); })()""")


def settled_again(studio):
    studio.until("window.said.includes('all replicas …') && /^\\d+ replicas$/.test(window.said[window.said.length - 1])")


def drag(studio, slider, client):
    """Moves a slider with the pointer, in many small steps."""
    box = json.loads(studio.value(f"""(() => {{
      const input = [...document.querySelectorAll('.client[data-of="{client}"] > .slider')]
        .find(s => s.querySelector('span').textContent === {json.dumps(slider)}).querySelector('input');
      input.scrollIntoView({{block: 'center'}});
      const r = input.getBoundingClientRect(), share = input.value / input.max;
      return JSON.stringify([r.left, r.top + r.height / 2, r.width, share]); }})()"""))
    at = box[0] + 8 + (box[2] - 16) * box[3]
    studio.call("Input.dispatchMouseEvent", type="mousePressed", x=at, y=box[1], button="left", clickCount=1)
    for step in range(1, 31):
        studio.call("Input.dispatchMouseEvent", type="mouseMoved", x=at - step * box[2] / 100, y=box[1], button="left", buttons=1)
    studio.call("Input.dispatchMouseEvent", type="mouseReleased", x=at - box[2] * 0.3, y=box[1], button="left", clickCount=1)


def use(browser, wish):
    found, pictures = {}, wish.get("pictures")
    studio = Studio(browser, wish["address"])
    studio.settled()
    first = studio.text()
    found["keys"] = studio.value("[...document.querySelectorAll('.ink .y-key')].map(k => k.textContent).join('|')")

    # The numbers of the lines stand beside their lines, at the end as well.
    found["ends"] = json.loads(studio.value("""new Promise(done => { const area = document.querySelector('textarea');
      area.scrollTop = area.scrollLeft = 1e6;
      requestAnimationFrame(() => requestAnimationFrame(() => { const of = name => document.querySelector(name);
        done(JSON.stringify([area.scrollTop, of('.ink').scrollTop, of('.gutter').scrollTop, area.scrollLeft, of('.ink').scrollLeft]));
        area.scrollTop = area.scrollLeft = 0; })); })"""))

    # A client opens when the cursor is in its text.
    found["opened"] = studio.value("document.querySelectorAll('.client[open]').length")
    studio.select(wish["client"] + ":")
    studio.key("ArrowLeft")
    studio.until(f"!!document.querySelector('.client[data-of=\"{wish['client']}\"] > .slider')")
    found["hint"] = studio.value("document.querySelector('.sliders .hint').textContent")
    found["wide"] = visible(studio)

    # A drag is one step of undo, and the figures say what it changed.
    studio.value(SAID)
    drag(studio, wish["slider"], wish["client"])
    settled_again(studio)
    found["isDragged"] = studio.text() != first
    found["before"] = studio.value("document.querySelector('#figures .before').firstChild.textContent")
    found["changes"] = studio.value("[...document.querySelectorAll('#figures .change b')].map(b => b.textContent).join('|')")
    found["intervals"] = studio.value("[...document.querySelectorAll('#figures .change')].map(c => c.title).filter(t => t).join('|')")
    studio.picture(pictures, "changed")
    studio.value("document.querySelector('textarea').focus(), document.execCommand('undo')")
    found["isOneStep"] = studio.text() == first
    studio.value("document.execCommand('redo')")
    found["isRedone"] = studio.text() != first
    studio.value("document.execCommand('undo')")

    # The numbers of a text with an error have no places: a slider writes nothing, and says why.
    studio.value("document.querySelector('textarea').setSelectionRange(0, 0)")
    studio.insert("nonsense: 1\n")
    studio.until("!!document.querySelector('.faults li')")
    wrong = studio.text()
    drag(studio, wish["slider"], wish["client"])
    found["isRefused"] = studio.text() == wrong
    found["refusal"] = studio.value("document.getElementById('status').textContent")
    studio.value("document.querySelector('textarea').focus(), document.execCommand('undo')")
    studio.until("!document.querySelector('.faults li')")

    # Deleting a client by hand leaves its expectations, which a click removes.
    place = first.index("\n  " + wish["client"] + ":")
    line = first[place:first.index("\n", place + 1)]
    studio.select(line)
    studio.value("document.execCommand('delete')")
    found["offer"] = studio.until("([...document.querySelectorAll('.faults .apply')].map(b => b.textContent)"
                                  ".find(t => t.startsWith('Remove')) || '')")
    studio.value("[...document.querySelectorAll('.faults .apply')].find(b => b.textContent.startsWith('Remove')).click()")
    studio.until("!document.querySelector('.faults li')")
    found["mended"] = studio.text()
    studio.value("document.querySelector('textarea').focus(), document.execCommand('undo'), document.execCommand('undo')")
    found["isBack"] = studio.text() == first
    studio.settled()
    # The button removes both in one step.
    studio.until(f"!!document.querySelector('.client[data-of=\"{wish['client']}\"]')")
    studio.value(f"document.querySelector('.client[data-of=\"{wish['client']}\"] .remove').click()")
    found["removed"] = studio.text()
    studio.value("document.querySelector('textarea').focus(), document.execCommand('undo')")
    found["isBackAgain"] = studio.text() == first

    # Another scenario: found by a word of its story, and edits that are not saved are not dropped without a question.
    studio.insert("# mine\n")
    mine = studio.text()
    studio.value("document.getElementById('pick-scenario').click()")
    studio.until("document.getElementById('picker').open")
    studio.value(f"(i => {{ i.value = {json.dumps(wish['search'])}; i.oninput(); }})(document.querySelector('#picker input'))")
    found["hits"] = studio.value("[...document.querySelectorAll('#picker li:not([hidden]) small')].map(s => s.textContent)"
                                 ".join('|')")
    studio.picture(pictures, "picker")
    studio.value("window.asked = [], window.confirm = text => { window.asked.push(text); return window.asked.length > 1; }")
    first_hit = "document.querySelector('#picker li:not([hidden]) button').click()"
    studio.value(first_hit)
    found["isKept"] = studio.text() == mine
    studio.value("document.getElementById('pick-scenario').click()")
    studio.until("document.getElementById('picker').open")
    studio.value(first_hit)
    studio.until(f"document.querySelector('textarea').value !== {json.dumps(mine)}")
    found["asked"] = studio.value("window.asked.length")
    # The new scenario is not saved into the file of the former one.
    found["name"] = studio.value("document.getElementById('name').textContent")
    studio.value("window.proposed = [], window.prompt = (_, name) => { window.proposed.push(name); return null; }")
    studio.value("document.getElementById('save').click()")
    found["proposed"] = studio.value("window.proposed.join('|')")
    studio.value("document.querySelector('textarea').focus(), document.execCommand('undo')")
    found["isUndone"] = studio.text() == mine

    narrow = Studio(browser, wish["address"], width=390, dark=True)
    narrow.settled()
    found["narrow"] = visible(narrow)
    found["overflow"] = narrow.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    narrow.picture(pictures, "narrow")
    found["errors"] = len([e for e in browser.events if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")])
    return found


if __name__ == "__main__":
    main(use)
