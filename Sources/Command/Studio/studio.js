'use strict';
// The studio's page. After each change it asks the program for errors and for the timeline of one replica; after a pause, for
// the results of all replicas. A newer change ends an older request, and the program then ends the run.
(function () {
  var quickPause = 30, wholePause = 500, patience = 150;
  // The program draws one mark in each column of pixels. The complete timeline is for zooming in and pointing at.
  var isDetailed = true, isDetailWanted = false;
  function find(id) { return document.getElementById(id); }
  function make(name, className, text) {
    var node = document.createElement(name);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }
  var editor = StudioEditor(find('editor'), changed, pointed);
  var answer = StudioAnswer(find('figures'));
  var sliders = StudioSliders(find('sliders'), editor, {duplicate: duplicate, remove: removeClient, refused: refused, load: loadSliders});
  var started = null, known = null, saveName = null, fileName = null, cell = 0, strategies = [], flags = '';
  // The text as the program last gave or saved it: another text has edits that are not saved.
  var clean = null;

  // MARK: Address and calls

  // #token=… is the secret that the command printed, #launch=… a key for the first call alone, and #scenario=… carries a
  // scenario. None of them stays in the address.
  function takeFromAddress() {
    var kept = [], scenario = null;
    location.hash.slice(1).split('&').forEach(function (part) {
      if (/^(token|launch)=/.test(part)) localStorage.setItem('token', part.slice(part.indexOf('=') + 1));
      else if (part.indexOf('scenario=') === 0) scenario = part.slice(9);
      else if (part) kept.push(part);
    });
    history.replaceState(null, '', location.pathname + (kept.length ? '#' + kept.join('&') : ''));
    return scenario;
  }
  function call(name, body, signal) {
    var isBinary = body instanceof Blob;
    return fetch('/api/' + name, {
      method: 'POST', signal: signal, body: isBinary ? body : JSON.stringify(body || {}),
      headers: {'X-Deadzone': localStorage.getItem('token') || '', 'Content-Type': isBinary ? 'application/octet-stream' : 'application/json'}
    });
  }
  function checked(response) {
    if (response.ok) return response;
    return response.text().then(function (text) { throw new Error(text.trim() || 'the request failed'); });
  }
  // A response in frames: a line of JSON, then as many bytes as it says.
  function readFrames(response, take) {
    var reader = response.body.getReader(), rest = new Uint8Array(0), decoder = new TextDecoder();
    function parse() {
      for (;;) {
        var end = rest.indexOf(10);
        if (end < 0) return;
        var head = JSON.parse(decoder.decode(rest.subarray(0, end)));
        if (rest.length < end + 1 + head.bytes) return;
        take(head, decoder.decode(rest.subarray(end + 1, end + 1 + head.bytes)));
        rest = rest.slice(end + 1 + head.bytes);
      }
    }
    return reader.read().then(function more(piece) {
      if (piece.done) return;
      var joined = new Uint8Array(rest.length + piece.value.length);
      joined.set(rest);
      joined.set(piece.value, rest.length);
      rest = joined;
      parse();
      return reader.read().then(more);
    });
  }
  function tell(text) { find('status').textContent = text; }

  // MARK: Runs

  var current = null, quickTimer = 0, wholeTimer = 0;
  // All replicas run as soon as the page is visible.
  var isWholeWanted = false;
  // Several changes by one click are one run.
  var isQuickDue = false;
  function changed() {
    if (!started) return;
    clearTimeout(quickTimer);
    clearTimeout(wholeTimer);
    // A short run may end, so that the timeline moves while a slider moves. The first change of several does not wait.
    if (current && !mayEnd()) stop();
    if (current) { quickTimer = setTimeout(quick, quickPause); return; }
    if (isQuickDue) return;
    isQuickDue = true;
    queueMicrotask(function () { isQuickDue = false; quick(); });
  }
  function mayEnd() {
    return !current.isWhole && !current.isRefinement && !current.isDone && performance.now() - current.began < patience;
  }
  function stop() {
    if (current) current.controller.abort();
    current = null;
    find('progress').hidden = true;
  }
  function quick() {
    if (current && mayEnd()) { quickTimer = setTimeout(quick, 10); return; }
    stop();
    clearTimeout(wholeTimer);
    isWholeWanted = false;
    if (!find('dropped').hidden) closeDropped();
    tell('one replica …');
    isDetailWanted = false;
    run(false).then(function (isSound) {
      if (isSound) wholeTimer = setTimeout(whole, wholePause);
    });
  }
  function whole() {
    isWholeWanted = document.hidden;
    if (isWholeWanted) return;
    if (current) { wholeTimer = setTimeout(whole, 20); return; }
    tell('all replicas …');
    run(true).then(refine);
  }
  // Tabs share the program, so a hidden one leaves it to the others.
  document.addEventListener('visibilitychange', function () {
    if (!document.hidden && isWholeWanted) return whole();
    if (!document.hidden || !current || !current.isWhole) return;
    stop();
    isWholeWanted = true;
  });
  // Draws the same timeline with all details, as soon as no other run needs the program.
  function refine() {
    if (isDetailed || !isDetailWanted || current) return;
    run(false, true);
  }
  function wantDetail() {
    if (isDetailed || isDetailWanted) return;
    isDetailWanted = true;
    refine();
  }
  // The address keeps the part of the timeline that the reader has zoomed to.
  function isZoomed() { return /[#&]lanes-0=/.test(location.hash); }
  new MutationObserver(function () { if (isZoomed()) wantDetail(); }).observe(find('timeline'),
    {subtree: true, attributes: true, attributeFilter: ['viewBox']});
  find('timeline').addEventListener('pointermove', wantDetail);
  find('timeline').addEventListener('focusin', function (event) { if (event.target.closest('.lanes,.controls')) wantDetail(); });
  // A timeline that arrives while the reader drags across the lanes waits for the end of the drag.
  var isPressed = false, heldBack = null;
  find('timeline').addEventListener('pointerdown', function () { isPressed = true; });
  ['pointerup', 'pointercancel'].forEach(function (name) {
    addEventListener(name, function () {
      isPressed = false;
      if (heldBack) setTimeout(heldBack, 0);
    });
  });
  // The promise is true if the scenario has no errors and the run came to its end. A refinement replaces the timeline alone.
  function run(isWhole, isRefinement) {
    var mine = current = {controller: new AbortController(), isWhole: isWhole, isRefinement: isRefinement, began: performance.now(),
      isSound: false, isDone: false};
    var text = editor.text();
    var wish = {text: text, cell: cell, whole: isWhole, opened: sliders.opened(), detail: !!isRefinement || isZoomed()};
    if (isWhole) wish.before = answer.before(text);
    return call('run', wish, mine.controller.signal).then(checked).then(function (response) {
      return readFrames(response, function (head, content) {
        if (current !== mine || isRefinement && head.kind !== 'timeline') return;
        if (head.kind === 'lint') showLint(head, mine);
        else if (head.kind === 'failure') tell(content);
        else if (head.kind === 'progress') showProgress(head);
        else if (head.kind === 'timeline') showTimeline(head, content);
        else if (head.kind === 'results') { mine.isDone = true; showResults(head, content, text); }
        else if (head.kind === 'sliders' && text === editor.text()) sliders.show(head);
      });
    }).then(function () {
      if (current !== mine) return false;
      current = null;
      find('progress').hidden = true;
      if (mine.isSound && !mine.isDone) tell('stopped after a minute: use the command, which has no limit');
      if (!isWhole && !isRefinement) refine();
      return mine.isSound && mine.isDone;
    }, function (error) {
      if (error.name === 'AbortError' || current !== mine) return false;
      current = null;
      find('progress').hidden = true;
      tell(error instanceof TypeError ? 'deadzone studio does not answer: is it still running?' : error.message);
      return false;
    });
  }
  // Markup comes from the program alone, which escapes every name. Scripts in it would not run: see the content policy.
  function put(target, html) {
    var restore = stateOf(target);
    adopt(target, new DOMParser().parseFromString(html, 'text/html').body);
    activateLanes();
    restore();
  }
  // Replaces the children that differ, so that the browser lays out only those. Lanes, controls and the readout are always replaced,
  // because the report's script has changed the old ones.
  function adopt(target, source) {
    var old = Array.from(target.childNodes), now = Array.from(source.childNodes);
    old.slice(now.length).forEach(function (node) { node.remove(); });
    now.forEach(function (node, at) {
      var known = old[at];
      if (!known) target.append(node);
      else if (known.isEqualNode(node)) return;
      else if (known.nodeType === 1 && !known.matches('.lanes,.controls,.readout') && isAlike(known, node)) adopt(known, node);
      else known.replaceWith(node);
    });
  }
  // True if both elements have the same name and attributes. Details that the reader has opened remain open.
  function isAlike(known, node) {
    var empty = known.cloneNode(false);
    if (empty.localName === 'details') empty.open = node.open;
    return empty.isEqualNode(node.cloneNode(false));
  }
  // Open, hidden and focused elements in this part of the page, for the markup that replaces it.
  function stateOf(target) {
    function texts(what) { return Array.from(target.querySelectorAll(what)).map(function (node) { return node.textContent; }); }
    function each(what, wanted, use) {
      target.querySelectorAll(what).forEach(function (node) { if (wanted.indexOf(node.textContent) >= 0) use(node); });
    }
    function places() { return Array.from(target.querySelectorAll('button,summary,[tabindex]')); }
    var open = texts('details[open] > summary'), hidden = texts('.controls [aria-pressed=false]');
    var place = places().indexOf(document.activeElement);
    return function () {
      each('details > summary', open, function (node) { node.parentNode.open = true; });
      each('.controls [aria-pressed]', hidden, function (node) { node.click(); });
      if (place >= 0 && places()[place]) places()[place].focus({preventScroll: true});
    };
  }
  function showTimeline(head, content) {
    // A drag across the lanes is not cut off.
    heldBack = isPressed ? function () { showTimeline(head, content); } : null;
    if (heldBack) return;
    isDetailed = head.isComplete;
    put(find('timeline'), content);
  }
  function showProgress(head) {
    // A bar that is gone at once only flickers.
    if (!current || performance.now() - current.began < 300) return;
    find('progress').hidden = false;
    find('progress').max = head.total;
    find('progress').value = head.done;
  }
  function showResults(head, content, text) {
    put(find('results'), content);
    document.body.classList.remove('stale');
    tell(head.replicas === head.planned ? (head.planned === 1 ? 'one replica' : head.planned + ' replicas')
      : 'stopped after ' + head.replicas + ' of ' + head.planned + ' replicas');
    answer.show(head, text);
  }
  // MARK: Errors

  function showLint(head, request) {
    request.isSound = !head.faults.length;
    if (request.isWhole) return;
    editor.setFaults(head.faults);
    if (request.isSound) strategies = head.strategies;
    if (request.isSound) sliders.setClients(strategies);
    if (head.flags) flags = head.flags;
    var list = find('faults');
    list.textContent = '';
    head.faults.forEach(function (fault) { list.append(faultItem(fault)); });
    showCells(head.cells);
    if (request.isSound) return;
    document.body.classList.add('stale');
    tell(head.faults.length === 1 ? 'one error' : head.faults.length + ' errors');
  }
  function faultItem(fault) {
    var item = make('li'), place = make('button', 'place', fault.isElsewhere ? fault.file + ':' + fault.line : 'Line ' + fault.line);
    place.type = 'button';
    place.disabled = !!fault.isElsewhere || !fault.line;
    place.addEventListener('click', function () { editor.select(fault.line, fault.column, fault.width); });
    item.append(place, make('span', 'message', fault.message));
    var line = editor.text().split('\n')[fault.line - 1];
    if (line !== undefined && !fault.isElsewhere) {
      // Long lines are cut to the part around the caret.
      var letters = Array.from(line), from = Math.max(0, fault.column - 1 - 24), shown = letters.slice(from, from + 72).join('');
      var caret = ' '.repeat(fault.column - 1 - from) + '^'.repeat(Math.max(1, Math.min(fault.width, 72))) + ' ' + (fault.label || '');
      item.append(make('pre', 'caret', shown + '\n' + caret));
    } else if (fault.label) item.append(make('span', 'help', fault.label));
    (fault.help || []).forEach(function (help) { item.append(make('span', 'help', help)); });
    if (fault.replacement !== undefined && !fault.isElsewhere) {
      var apply = make('button', 'apply', 'Write ' + fault.replacement);
      apply.type = 'button';
      apply.addEventListener('click', function () {
        editor.replace(editor.position(fault.line, fault.column), editor.position(fault.line, fault.column + fault.width), fault.replacement);
      });
      item.append(apply);
    }
    // A client that was deleted may still have expectations.
    offerRemoval(item, fault);
    return item;
  }
  function showCells(names) {
    var box = find('cells'), choice = box.querySelector('select');
    box.hidden = !names.length;
    if (Array.from(choice.options).map(function (o) { return o.text; }).join('\n') === names.join('\n')) return;
    cell = Math.min(cell, Math.max(0, names.length - 1));
    choice.replaceChildren.apply(choice, names.map(function (name, i) { return new Option(name, i, false, i === cell); }));
  }
  find('cells').addEventListener('change', function (event) { cell = +event.target.value; changed(); });

  // MARK: Sliders

  function loadSliders() {
    var text = editor.text();
    call('sliders', {text: text, cell: cell, opened: sliders.opened()}).then(checked).then(function (r) { return r.json(); }).then(function (found) {
      if (found && text === editor.text()) sliders.show(found);
    }).catch(function () { /* The next run says what is wrong, and brings the sliders. */ });
  }
  function refused() { tell(find('faults').firstChild ? 'mend the errors first' : 'the sliders follow the text in a moment'); }
  // The client in whose text the cursor is.
  function pointed(line) {
    var found = null;
    strategies.forEach(function (one) {
      var place = one.line <= line && block(one.name);
      if (place && line <= place.end) found = one.name;
    });
    if (found) sliders.point(found);
  }

  // MARK: Edits by buttons

  // Lines of a strategy: its own, and those that are indented further.
  function block(name) {
    var found = strategies.filter(function (s) { return s.name === name; })[0], lines = editor.text().split('\n');
    if (!found) return null;
    var first = found.line - 1, indent = /^ */.exec(lines[first])[0].length, end = first + 1;
    while (end < lines.length && (/^ */.exec(lines[end])[0].length > indent || !lines[end].trim())) end++;
    while (!lines[end - 1].trim()) end--;
    var isOwnLine = lines[first].trim().replace(/^["']/, '').indexOf(name) === 0;
    return isOwnLine ? {first: first, end: end, indent: indent, lines: lines} : null;
  }
  function insertAfter(place, added) {
    var lines = place.lines, at = lines.slice(0, place.end).join('\n').length;
    editor.replace(at, at, '\n' + added.join('\n'));
    editor.select(place.end + 1, place.indent + 1, 0);
  }
  function freeName(base) {
    var taken = strategies.map(function (s) { return s.name; }), name = base;
    for (var n = 2; taken.indexOf(name) >= 0; n++) name = base + '-' + n;
    return name;
  }
  var oneLine = 'the strategies stand on one line: give each a line of its own';
  function duplicate(name) {
    var place = block(name);
    if (!place) return tell(oneLine);
    var copy = place.lines.slice(place.first, place.end), other = freeName(name + '-what-if');
    var rest = copy[0].trim().replace(/^("[^"]*"|'[^']*'|[^:]*?)\s*:/, '');
    copy[0] = ' '.repeat(place.indent) + other + ':' + rest;
    sliders.open(other);
    // Without the expectations of the original, the copy would meet all of its own.
    var lines = place.lines.slice(), own = expectations(lines, name) || [], last = own[own.length - 1];
    var demands = last ? demandsOf(lines, own, name, other) : [], isAfter = last && last.end > place.end;
    if (isAfter) lines.splice.apply(lines, [last.end, 0].concat(demands));
    lines.splice.apply(lines, [place.end, 0].concat(copy));
    if (last && !isAfter) lines.splice.apply(lines, [last.end, 0].concat(demands));
    rewrite(lines.join('\n'));
    editor.select(place.end + 1 + (isAfter ? 0 : demands.length), place.indent + 1, 0);
  }
  // The lines of these expectations, for another client.
  function demandsOf(lines, places, name, other) {
    var found = [];
    places.forEach(function (p) { found = found.concat(lines.slice(p.first, p.end)); });
    return found.filter(function (line) { return !/^expect:/.test(line); }).map(function (line) {
      var parts = /^(\s*)(["']?)(.*?)\2(\s*:.*)$/.exec(line);
      return parts && parts[3] === name ? parts[1] + other + parts[4] : line;
    });
  }
  function addClient(preset) {
    var last = strategies[strategies.length - 1], place = last && block(last.name);
    if (!place) return tell(strategies.length ? oneLine : 'mend the errors first');
    var name = freeName(preset);
    sliders.open(name);
    insertAfter(place, [' '.repeat(place.indent) + name + ': {strategy: ' + preset + '}']);
  }
  // Lines of a setting in block style: its own, and those that are indented further.
  function setting(lines, first) {
    var indent = /^ */.exec(lines[first])[0].length, end = first + 1;
    while (end < lines.length && (/^ */.exec(lines[end])[0].length > indent || !lines[end].trim())) end++;
    while (!lines[end - 1].trim()) end--;
    return {first: first, end: end};
  }
  // Lines of the expectations of a client. With its only entry, `expect:` goes as well. Null if they share a line with others.
  function expectations(lines, name) {
    var start = lines.findIndex(function (line) { return /^expect:/.test(line); });
    if (start < 0) return [];
    var whole = setting(lines, start), indent = null, entries = [];
    for (var row = start + 1; row < whole.end; row++) {
      if (!lines[row].trim() || /^\s*#/.test(lines[row])) continue;
      if (indent === null) indent = /^ */.exec(lines[row])[0].length;
      if (/^ */.exec(lines[row])[0].length === indent) entries.push(row);
    }
    var own = entries.filter(function (row) {
      var rest = lines[row].trim().replace(/^(["'])(.*?)\1\s*:/, '$2:');
      return rest.indexOf(name + ':') === 0;
    });
    if (!own.length) return lines.slice(start, whole.end).join('\n').indexOf(name) < 0 ? [] : null;
    return own.length === entries.length ? [whole] : own.map(function (row) { return setting(lines, row); });
  }
  function withoutLines(lines, places) {
    return lines.filter(function (_, row) { return !places.some(function (p) { return p.first <= row && row < p.end; }); }).join('\n');
  }
  // One step of undo, which replaces only what differs.
  function rewrite(text) {
    var old = editor.text(), start = 0, end = 0, most = Math.min(old.length, text.length);
    while (start < most && old[start] === text[start]) start++;
    while (end < most - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
    editor.replace(start, old.length - end, text.slice(start, text.length - end));
  }
  function removeClient(name) {
    var place = block(name);
    if (!place) return tell(oneLine);
    if (strategies.length < 2) return tell('a scenario needs a client');
    var gone = expectations(place.lines, name);
    if (!gone) return tell('the expectations of ' + name + ' share a line with others: remove them by hand');
    rewrite(withoutLines(place.lines, gone.concat([place])));
    tell(gone.length ? 'removed ' + name + ' and its expectations; Ctrl-Z in the text brings them back' : 'removed ' + name);
  }
  // Offers to remove the expectations of a client that is no longer in the text.
  function offerRemoval(item, fault) {
    var lines = editor.text().split('\n'), start = lines.findIndex(function (line) { return /^expect:/.test(line); });
    if (fault.isElsewhere || start < 0 || fault.line <= start + 1 || fault.line > setting(lines, start).end) return;
    var name = Array.from(lines[fault.line - 1]).slice(fault.column - 1, fault.column - 1 + fault.width).join('').replace(/^["']|["']$/g, '');
    var gone = expectations(lines, name);
    if (!gone || !gone.length) return;
    var button = make('button', 'apply', 'Remove the expectations of ' + name);
    button.type = 'button';
    button.addEventListener('click', function () { rewrite(withoutLines(lines, gone)); });
    item.append(button);
  }
  function radioKey(profile) { return /wi-?fi/i.test(profile.kind) ? 'wifi' : 'cellular'; }
  function setRadio(profile) {
    var text = editor.text(), radios = text.search(/^\s*(phone:.*)?radios:/m), key = radioKey(profile);
    var found = radios < 0 ? null : new RegExp('([\\s{,]' + key + ':\\s*)([\\w./-]+)').exec(text.slice(radios));
    if (!found) return tell('the phone has no ' + key + ' radio: write radios: {' + key + ': ' + profile.name + '}');
    var at = radios + found.index + found[1].length;
    editor.replace(at, at + found[2].length, profile.name);
  }

  // MARK: Lists

  function pick(title, items, take) {
    var box = find('picker'), filter = box.querySelector('input'), list = box.querySelector('ul');
    find('picker-title').textContent = title;
    filter.value = '';
    list.replaceChildren.apply(list, items.map(function (item) {
      var row = make('li'), button = make('button');
      button.type = 'button';
      button.append(make('b', '', item.name));
      if (item.facts) button.append(make('small', '', item.facts));
      button.append(make('span', '', (item.title && item.title !== item.about ? item.title + '. ' : '') + item.about));
      row.words = (row.textContent + button.textContent + ' ' + (item.words || '')).toLowerCase();
      button.addEventListener('click', function () { box.close(); take(item); });
      row.append(button);
      return row;
    }));
    filter.oninput = function () {
      var words = filter.value.toLowerCase().split(/\s+/), count = 0;
      Array.from(list.children).forEach(function (row) {
        row.hidden = !words.every(function (w) { return row.words.indexOf(w) >= 0; });
        if (!row.hidden) count++;
      });
      find('picker-count').textContent = count + ' of ' + items.length;
    };
    filter.onkeydown = function (event) {
      // A search field takes the first Escape for itself.
      if (event.key === 'Escape') box.close();
      if (event.key !== 'Enter') return;
      event.preventDefault();
      var first = Array.from(list.children).filter(function (row) { return !row.hidden; })[0];
      if (first) first.firstChild.click();
    };
    filter.oninput();
    box.showModal();
    filter.focus();
  }
  // Another text in place of the present one. Asks first if edits would go; Ctrl-Z in the text leads back in any case.
  function isKept() {
    return editor.text() !== clean
      && !confirm('The scenario has edits that are not saved. Replace it? Ctrl-Z in the text brings it back.');
  }
  function change(text, name) {
    fileName = name || 'scenario.yaml';
    // Another scenario is not saved into the file of the one before.
    known = saveName = null;
    find('name').textContent = fileName;
    cell = 0;
    clean = text;
    answer.forget();
    sliders.forget();
    editor.adopt(text);
  }
  find('pick-scenario').addEventListener('click', function (event) {
    var button = event.currentTarget;
    button.disabled = true;
    tell('reading the scenarios …');
    call('scenarios').then(checked).then(function (r) { return r.json(); }).then(function (found) {
      tell('');
      pick('Shipped scenarios', found.scenarios, function (item) {
        if (isKept()) return;
        call('open', {name: item.name}).then(checked).then(function (r) { return r.text(); })
          .then(function (text) { change(text, item.name.split('/').pop() + '.yaml'); })
          .catch(function (error) { tell(error.message); });
      });
    }).catch(function (error) { tell(error.message); }).then(function () { button.disabled = false; });
  });
  find('pick-strategy').addEventListener('click', function () {
    pick('Add a client', started.strategies, function (item) { addClient(item.name); });
  });
  find('pick-profile').addEventListener('click', function () { pick('Radio profiles', started.profiles, setRadio); });

  // MARK: Files

  function save(isForced) {
    var name = saveName;
    if (!name) name = prompt('Name of the new scenario file', fileName);
    if (!name) return;
    var text = editor.text();
    call('save', {text: text, name: name, known: known, force: isForced}).then(function (response) {
      return response.text().then(function (answer) {
        if (response.ok) {
          known = clean = text;
          saveName = fileName = name;
          find('name').textContent = name;
          tell(answer);
        } else if (response.status === 409) {
          if (confirm(answer + '. Replace it?')) save(true);
        } else tell(answer);
      });
    }).catch(function (error) { tell(error.message); });
  }
  find('save').addEventListener('click', function () { save(false); });
  addEventListener('keydown', function (event) {
    if ((event.ctrlKey || event.metaKey) && event.key === 's') { event.preventDefault(); save(false); }
  });

  function download(blob, name) {
    var link = make('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  }
  function copy(text, words) {
    navigator.clipboard.writeText(text).then(function () { tell('copied ' + words); }, function () { prompt('Copy ' + words, text); });
  }
  function base64(bytes) {
    var text = '';
    bytes.forEach(function (b) { text += String.fromCharCode(b); });
    return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  }
  function packed(text, packer) { return new Response(new Blob([text]).stream().pipeThrough(packer)).arrayBuffer(); }
  function unpack(word) {
    var bytes = Uint8Array.from(atob(word.replace(/-/g, '+').replace(/_/g, '/')), function (c) { return c.charCodeAt(0); });
    return packed(bytes, new DecompressionStream('deflate-raw')).then(function (b) { return new TextDecoder().decode(b); });
  }
  var exports = {
    yaml: function () { download(new Blob([editor.text()], {type: 'application/yaml'}), fileName.split('/').pop()); },
    command: function () { copy('deadzone run ' + fileName + ' ' + flags, 'the command'); },
    link: function () {
      packed(editor.text(), new CompressionStream('deflate-raw')).then(function (bytes) {
        copy(location.origin + '/#scenario=' + base64(new Uint8Array(bytes)), 'the link');
      });
    }
  };
  function exportResult(format) {
    tell('all replicas, for the file …');
    call('export', {text: editor.text(), format: format}).then(checked).then(function (r) { return r.blob(); }).then(function (blob) {
      download(blob, {html: 'report.html', json: 'results.json', csv: 'results.csv'}[format]);
      tell('exported');
    }).catch(function (error) { tell(error.message); });
  }
  find('export').addEventListener('click', function (event) {
    var format = event.target.dataset.export;
    if (!format) return;
    find('export').open = false;
    if (exports[format]) exports[format](); else exportResult(format);
  });
  addEventListener('click', function (event) { if (!find('export').contains(event.target)) find('export').open = false; });
  addEventListener('keydown', function (event) { if (event.key === 'Escape') find('export').open = false; });

  // MARK: Dropped files

  var adopted = null;
  function take(file) {
    if (/\.ya?ml$/i.test(file.name)) { if (!isKept()) file.text().then(function (text) { change(text, file.name); }); return; }
    if (file.size > 256 * 1024 * 1024) return tell(file.name + ' is larger than 256 MiB: use `deadzone replay` or `deadzone day`');
    stop();
    clearTimeout(quickTimer);
    clearTimeout(wholeTimer);
    tell('reading ' + file.name + ' …');
    adopted = null;
    call('drop', file.slice(0, file.size, 'application/octet-stream')).then(checked).then(function (response) {
      return readFrames(response, function (head, content) {
        if (head.kind === 'failure') tell(content.trim());
        else if (head.kind === 'scenario') { adopted = content; find('adopt').hidden = false; }
        else if (head.kind === 'page') {
          find('adopt').hidden = true;
          put(find('dropped').lastElementChild, content.slice(content.indexOf('<main>') + 6, content.lastIndexOf('</main>')));
          shows('dropped');
          tell(file.name);
        }
      });
    }).catch(function (error) { tell(error.message); });
  }
  function shows(what) {
    find('dropped').hidden = what !== 'dropped';
    find('figures').hidden = find('timeline').hidden = find('results').hidden = what === 'dropped';
  }
  function closeDropped() {
    shows('run');
    find('dropped').lastElementChild.textContent = '';
  }
  find('close').addEventListener('click', function () { closeDropped(); changed(); });
  find('adopt').addEventListener('click', function () {
    if (isKept()) return;
    closeDropped();
    change(adopted);
  });
  find('pick-file').addEventListener('click', function () { find('file').click(); });
  find('file').addEventListener('change', function (event) {
    if (event.target.files[0]) take(event.target.files[0]);
    event.target.value = '';
  });
  addEventListener('dragover', function (event) { event.preventDefault(); document.body.classList.add('dropping'); });
  addEventListener('dragleave', function (event) { if (!event.relatedTarget) document.body.classList.remove('dropping'); });
  addEventListener('drop', function (event) {
    event.preventDefault();
    document.body.classList.remove('dropping');
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });

  // MARK: Start

  function theme(name) { if (name) document.documentElement.setAttribute('data-theme', name); }
  theme(localStorage.getItem('theme'));
  find('theme').addEventListener('click', function () {
    var now = document.documentElement.getAttribute('data-theme') || (matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light');
    localStorage.setItem('theme', now === 'dark' ? 'light' : 'dark');
    theme(localStorage.getItem('theme'));
  });

  function start(scenario) {
    tell('starting …');
    call('start').then(function (response) {
      if (response.status === 403) throw new Error('open the address that `deadzone studio` printed, with its token');
      return checked(response).json();
    }).then(function (given) {
      started = given;
      localStorage.setItem('token', given.token);
      known = given.isNamed ? given.text : null;
      saveName = given.isNamed ? given.name : null;
      fileName = given.name;
      find('name').textContent = given.name;
      var radios = {wifi: [], cellular: []};
      given.profiles.forEach(function (p) { radios[radioKey(p)].push({word: p.name, about: p.about}); });
      editor.setNames({'radios.wifi': radios.wifi, 'radios.cellular': radios.cellular});
      clean = given.text;
      editor.load(given.text);
      if (scenario) openLink(scenario);
      call('schema').then(checked).then(function (r) { return r.json(); }).then(editor.setSchema);
    }).catch(function (error) {
      tell(error instanceof TypeError ? 'deadzone studio does not answer: is it still running?' : error.message);
    });
  }
  function openLink(scenario) {
    unpack(scenario).then(function (text) { if (!isKept()) change(text); }, function () { tell('the link is damaged'); });
  }
  addEventListener('hashchange', function () {
    var hadToken = /(token|launch)=/.test(location.hash), scenario = takeFromAddress();
    if (!started || hadToken) start(scenario); else if (scenario) openLink(scenario);
  });
  addEventListener('beforeunload', function (event) {
    if (started && editor.text() !== clean) event.preventDefault();
  });
  start(takeFromAddress());
})();
