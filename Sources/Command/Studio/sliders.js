'use strict';
// The numbers of the clients as sliders. Each client has a group; the program makes sliders for the opened groups alone.
function StudioSliders(root, editor, studio) {
  var sliders = [], strategies = [], groups = Object.create(null), opened = null, shown = null, current = null;
  // One drag, or a series of keys, is one step of undo: each tick takes back the one before.
  var step = null, stepPause = 1000, isWriting = false;
  // The text that the places of the numbers belong to. A slider must not write into another one.
  var placed = null;

  function make(name, className, text) {
    var node = document.createElement(name);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }

  // MARK: Groups

  function build() {
    var presets = Array.from(root.querySelectorAll('details.preset[open]')).map(function (d) { return d.dataset.of; });
    groups = Object.create(null);
    root.textContent = '';
    if (strategies.length > 4) {
      root.append(make('p', 'hint', strategies.length + ' clients. Open a client for its sliders, or put the cursor into its text.'));
    }
    strategies.forEach(function (one) { group(one.name, presets); });
  }
  function group(name, presets) {
    var box = make('details', 'client'), tools = make('p', 'client-tools');
    box.dataset.of = name;
    box.open = opened !== null && opened.indexOf(name) >= 0;
    box.classList.toggle('current', name === current);
    box.append(make('summary', '', name), tools);
    [['What if? Copy it', 'copy', studio.duplicate], ['Remove it', 'remove', studio.remove]].forEach(function (one) {
      var button = make('button', one[1], one[0]);
      button.type = 'button';
      button.setAttribute('aria-label', one[0] + ': ' + name);
      button.addEventListener('click', function () { one[2](name); });
      tools.append(button);
    });
    box.addEventListener('toggle', function () { toggled(name, box.open); });
    groups[name] = {box: box, preset: null, isPresetOpen: (presets || []).indexOf(name) >= 0};
    root.append(box);
  }
  // Numbers of the preset, below those of the text.
  function presetGroup(name) {
    var own = groups[name];
    if (!own.preset) {
      own.preset = make('details', 'preset');
      own.preset.dataset.of = name;
      own.preset.open = own.isPresetOpen;
      own.preset.append(make('summary', '', 'Numbers of its preset'));
    }
    // Those of the text may follow in the list.
    own.box.append(own.preset);
    return own.preset;
  }
  function toggled(name, isOpen) {
    var known = opened || [], has = known.indexOf(name) >= 0;
    if (has === isOpen) return;
    opened = isOpen ? known.concat([name]) : known.filter(function (n) { return n !== name; });
    if (isOpen) studio.load();
  }

  // MARK: Sliders

  function names(list, isPlaced) {
    return list.map(function (s) { return s.strategy + '\n' + s.name + (isPlaced && s.before !== undefined ? '\n+' : ''); })
      .concat(strategies.map(function (s) { return s.name; })).join('\n\n');
  }
  function show(answer) {
    var list = answer.sliders;
    opened = answer.opened;
    // A number that a slider adds to the text changes its place on the page only when the slider is no longer in use.
    var isInUse = sliders.some(function (own) { return own.input === document.activeElement; });
    var isSame = shown && (isInUse ? names(list, false) === shown.names : names(list, true) === shown.placed);
    if (!isSame) {
      var focus = document.activeElement && root.contains(document.activeElement) && document.activeElement.localName === 'summary'
        ? document.activeElement.parentNode : null;
      build();
      sliders = list.map(row);
      Object.keys(groups).forEach(function (name) { if (groups[name].preset) groups[name].box.append(groups[name].preset); });
      if (focus && groups[focus.dataset.of]) groups[focus.dataset.of].box.querySelector('summary').focus();
      shown = {names: names(list, false), placed: names(list, true)};
    }
    list.forEach(function (one, i) {
      var own = sliders[i];
      ['line', 'column', 'width', 'before', 'after'].forEach(function (key) { own[key] = one[key]; });
      // The range of a slider in use stays, and each range that has the present value.
      if (isSame && document.activeElement === own.input) return;
      var place = isSame ? own.stops.indexOf(one.stops[one.position]) : -1;
      if (place < 0) {
        place = one.position;
        own.stops = one.stops;
        own.input.max = one.stops.length - 1;
      }
      own.input.value = place;
      showValue(own);
    });
    placed = editor.text();
    // The positions are those of the present text: a step that goes on begins anew from them.
    if (step && step.after !== editor.text()) step = null;
  }
  function row(one) {
    var own = Object.assign({}, one), box = make('label', 'slider');
    own.input = make('input');
    own.input.type = 'range';
    own.input.min = 0;
    own.output = make('output');
    own.input.addEventListener('input', function () { slide(own); });
    own.input.addEventListener('pointerdown', function () { step = null; });
    own.input.addEventListener('blur', function () { if (!isWriting) { step = null; studio.load(); } });
    box.append(make('span', '', one.name), own.input, own.output);
    (one.before === undefined ? groups[one.strategy].box : presetGroup(one.strategy)).append(box);
    return own;
  }
  function showValue(own) {
    var text = own.stops[+own.input.value];
    own.output.textContent = text;
    own.input.setAttribute('aria-valuetext', text);
  }

  // MARK: Text

  function places() {
    return sliders.map(function (one) {
      return {line: one.line, column: one.column, width: one.width, before: one.before, after: one.after};
    });
  }
  function slide(own) {
    if (editor.text() !== placed) return refuse(own);
    isWriting = true;
    var now = performance.now(), isPressed = own.input.matches(':active');
    var goesOn = step && step.own === own && step.after === editor.text() && (isPressed || now - step.at < stepPause);
    if (goesOn && editor.undo(step.text)) step.places.forEach(function (place, i) { Object.assign(sliders[i], place); });
    else step = {own: own, text: editor.text(), places: places()};
    write(own);
    step.after = editor.text();
    step.at = now;
    isWriting = false;
    showValue(own);
  }
  // The places are not yet those of the text, or the text has errors.
  function refuse(own) {
    own.input.value = Math.max(0, own.stops.indexOf(own.output.textContent));
    studio.refused();
  }
  // Rewrites the number's own columns; the rest of the line, with its comment, stays. A number of a preset is added first.
  function write(own) {
    var text = own.stops[+own.input.value], width = Array.from(text).length, before = own.before || '', after = own.after || '';
    var start = editor.position(own.line, own.column), isNewLine = before[0] === '\n';
    editor.replace(start, editor.position(own.line, own.column + own.width), before + text + after, true);
    var added = isNewLine ? 0 : Array.from(before + after).length + width - own.width;
    sliders.forEach(function (other) {
      if (other === own) return;
      if (isNewLine && other.line > own.line) other.line++;
      else if (other.line === own.line && other.column >= own.column) other.column += added;
    });
    own.column = isNewLine ? Array.from(before).length : own.column + Array.from(before).length;
    if (isNewLine) own.line++;
    own.width = width;
    own.before = own.after = undefined;
    placed = editor.text();
  }

  return {
    show: show,
    // The clients of the text. Those that are gone are no longer open; if none is left, the program chooses.
    setClients: function (list) {
      strategies = list;
      var names = list.map(function (s) { return s.name; });
      if (opened && list.length) {
        var left = opened.filter(function (name) { return names.indexOf(name) >= 0; });
        opened = left.length || !opened.length ? left : null;
      }
    },
    // Opens the sliders of a client that is being added.
    open: function (name) { opened = (opened || []).concat([name]); },
    // The clients whose sliders are wanted; null while they are unknown.
    opened: function () { return opened; },
    forget: function () { opened = shown = current = null; },
    // The client in whose text the cursor is has its sliders first.
    point: function (name) {
      if (name === current) return;
      current = name;
      Object.keys(groups).forEach(function (key) { groups[key].box.classList.toggle('current', key === name); });
      if (name && groups[name]) groups[name].box.open = true;
    }
  };
}
