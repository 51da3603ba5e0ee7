'use strict';
// A text editor for scenarios: a text area above a coloured copy of its text. The browser keeps undo, selection and input
// methods. Completion follows the JSON Schema of scenarios.
function StudioEditor(root, changed, pointed) {
  var area = root.querySelector('textarea'), ink = root.querySelector('.ink'), gutter = root.querySelector('.gutter');
  var offers = root.querySelector('.offers');
  var schema = null, names = {}, faults = [], drawn = [], chosen = 0, shown = [];

  function element(name, className, text) {
    var node = document.createElement(name);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }

  // MARK: Colours

  var token = /("(?:[^"\\]|\\.)*"|'[^']*')|((?:^|\s)#.*)|((?<=^\s*(?:- )*|[{,]\s*)[A-Za-z_$][\w.$\/ -]*?)(?=\s*:(?:\s|$))|((?<![\w.-])[-+]?\d[\d.]*(?:[A-Za-z]+[\d.]*)*%?)|([{}[\],])/g;
  function kind(found) {
    return found[1] ? 'text' : found[2] ? 'comment' : found[3] ? 'key' : found[4] ? 'number' : 'mark';
  }
  function drawLine(line, marks, isProse) {
    var row = element('div'), at = 0, parts = [], found;
    token.lastIndex = 0;
    while (!isProse && (found = token.exec(line))) {
      if (found.index > at) parts.push(['', at, found.index]);
      parts.push([kind(found), found.index, token.lastIndex]);
      at = token.lastIndex;
    }
    parts.push(['', at, line.length]);
    parts.forEach(function (part) {
      var edges = [part[1], part[2]];
      marks.forEach(function (m) { m.forEach(function (e) { if (e > part[1] && e < part[2]) edges.push(e); }); });
      edges.sort(function (a, b) { return a - b; });
      for (var i = 0; i + 1 < edges.length; i++) {
        var isWrong = marks.some(function (m) { return m[0] <= edges[i] && edges[i + 1] <= m[1]; });
        var name = ((part[0] ? 'y-' + part[0] : '') + (isWrong ? ' wrong' : '')).trim();
        var text = line.slice(edges[i], edges[i + 1]);
        if (text) row.appendChild(name ? element('span', name, text) : document.createTextNode(text));
      }
    });
    if (!line) row.textContent = '\u200b';
    return row;
  }
  // Replaces only the lines that changed.
  function draw() {
    var lines = area.value.split('\n'), block = -1;
    lines.forEach(function (line, row) {
      // The lines of a text below `>` or `|` are indented further than its key.
      var indent = /^ */.exec(line)[0].length, isProse = block >= 0 && (indent > block || !line.trim());
      if (!isProse) block = /:\s+[>|][-+0-9]*\s*$/.test(line) ? indent : -1;
      var marks = faults.filter(function (f) { return f.line === row + 1 && !f.isElsewhere; }).map(function (f) {
        var start = unit(line, f.column);
        return [start, Math.max(start + 1, unit(line, f.column + f.width))];
      });
      var key = line + '\u0000' + marks.join(';') + isProse;
      if (drawn[row] === key) return;
      var node = drawLine(line, marks, isProse);
      if (ink.children[row]) ink.replaceChild(node, ink.children[row]); else ink.appendChild(node);
      drawn[row] = key;
    });
    while (ink.children.length > lines.length) ink.removeChild(ink.lastChild);
    drawn.length = lines.length;
    drawGutter(lines.length);
    follow();
  }
  function drawGutter(count) {
    while (gutter.children.length > count) gutter.removeChild(gutter.lastChild);
    while (gutter.children.length < count) gutter.appendChild(element('div', '', String(gutter.children.length + 1)));
    for (var row = 0; row < count; row++) {
      var isWrong = faults.some(function (f) { return f.line === row + 1 && !f.isElsewhere; });
      if (gutter.children[row].classList.contains('wrong') !== isWrong) gutter.children[row].classList.toggle('wrong');
    }
  }
  function follow() {
    ink.scrollTop = gutter.scrollTop = area.scrollTop;
    ink.scrollLeft = area.scrollLeft;
  }

  // MARK: Positions

  // Columns of the linter count characters from 1; strings of the browser count UTF-16 units from 0.
  function unit(line, column) { return Array.from(line).slice(0, column - 1).join('').length; }
  function position(line, column) {
    var lines = area.value.split('\n'), at = 0;
    for (var row = 0; row < line - 1 && row < lines.length; row++) at += lines[row].length + 1;
    return at + unit(lines[line - 1] || '', column);
  }
  // Goes through the browser's own editing, so that undo knows it.
  function replace(start, end, text, keepsFocus) {
    var focus = document.activeElement, scroll = area.scrollTop;
    area.focus({preventScroll: true});
    area.setSelectionRange(start, end);
    if (!document.execCommand(text ? 'insertText' : 'delete', false, text)) {
      area.setRangeText(text, start, end, 'end');
      edited();
    }
    area.scrollTop = scroll;
    if (keepsFocus && focus) focus.focus({preventScroll: true});
  }
  // Takes back the last edit if it leads to this text.
  function undo(text) {
    var focus = document.activeElement, scroll = area.scrollTop;
    area.focus({preventScroll: true});
    document.execCommand('undo');
    if (area.value !== text) document.execCommand('redo');
    area.scrollTop = scroll;
    if (focus) focus.focus({preventScroll: true});
    return area.value === text;
  }
  function select(line, column, width) {
    var at = position(line, column), end = position(line, column + (width || 0));
    area.focus();
    area.setSelectionRange(at, end);
    var height = parseFloat(getComputedStyle(area).lineHeight);
    if (line * height < area.scrollTop || (line + 1) * height > area.scrollTop + area.clientHeight) {
      area.scrollTop = Math.max(0, (line - 4) * height);
    }
  }

  // MARK: Completion

  // Where the caret is: the keys above it, the settings beside it, and the word before it.
  function place() {
    var before = area.value.slice(0, area.selectionStart).split('\n'), line = before.pop();
    var path = [], levels = [{}];
    var found = /^( *)((?:- )*)(.*)$/.exec(line), need = found[1].length + found[2].length, dash = found[2] ? found[1].length : -1;
    if (dash >= 0) { path.unshift('[]'); levels.unshift({}); need = dash; }
    for (var row = before.length - 1; row >= 0; row--) {
      var up = /^( *)((?:- )*)([^\s#][^:]*?)\s*:(?:\s+(.*))?$/.exec(before[row]) || /^( *)((?:- )+)(.*)$/.exec(before[row]);
      if (!up) continue;
      var inner = up[1].length + up[2].length, value = (up[4] || '').replace(/\s#.*$/, '').trim();
      if (dash >= 0 ? (up[2] === '' && inner <= need && !value) : (inner < need && !value)) {
        path.unshift(up[3]);
        levels.unshift({});
        need = inner;
        dash = -1;
      } else if (dash < 0 && inner === need) levels[0][up[3]] = value;
      if (dash < 0 && up[2] && inner === need) { path.unshift('[]'); levels.unshift({}); need = dash = up[1].length; }
    }
    return flow(found[3], path, levels);
  }
  // Follows braces and brackets within the line.
  function flow(text, path, levels) {
    var key = null, word = '', depths = [], quote = '';
    for (var i = 0; i < text.length; i++) {
      var c = text[i];
      if (quote) { if (c === quote) quote = ''; word += c; continue; }
      if (c === '"' || c === "'") { quote = c; word += c; continue; }
      if (c === '{' || c === '[') {
        depths.push([path.length, levels.length]);
        if (key !== null) { path.push(key); levels.push({}); }
        if (c === '[') { path.push('[]'); levels.push({}); }
        key = null;
        word = '';
      } else if (c === '}' || c === ']') {
        var depth = depths.pop() || [path.length, levels.length];
        path.length = depth[0];
        levels.length = depth[1];
        key = null;
        word = '';
      } else if (c === ',' && depths.length) {
        if (key !== null) levels[levels.length - 1][key] = word.trim();
        key = null;
        word = '';
      } else if (c === ':' && (text[i + 1] === ' ' || i + 1 === text.length)) {
        key = word.trim();
        word = '';
      } else word += c;
    }
    return {path: path, levels: levels, key: key, word: word.replace(/^\s+/, ''), isComment: /(^|\s)#/.test(text) && !quote};
  }
  function target(node) {
    while (node && node.$ref) node = schema.definitions[node.$ref.split('/').pop()];
    return node || {};
  }
  // All schemas that a schema combines. Conditions depend on a word beside the caret, such as the name of a strategy; while
  // there is none, all of them count.
  function expand(node, level, depth) {
    node = target(node);
    if (depth > 12) return [];
    var all = [node], parts = (node.anyOf || []).concat(node.allOf || []);
    var isDecided = parts.some(function (part) {
      return part['if'] && Object.keys(target(part['if']).properties || {}).some(function (key) { return level[key] !== undefined; });
    });
    parts.forEach(function (part) {
      if (!part['if']) all = all.concat(expand(part, level, depth + 1));
      else if (!isDecided || holds(target(part['if']), level)) all = all.concat(expand(part.then, level, depth + 1));
    });
    return all;
  }
  function holds(condition, level) {
    var wanted = condition.properties || {};
    return Object.keys(wanted).every(function (key) {
      var word = target(wanted[key]);
      return (word['enum'] || [word['const']]).indexOf(level[key]) >= 0;
    });
  }
  function inside(nodes, key) {
    var found = [];
    nodes.forEach(function (node) {
      if (key === '[]') { if (node.items) found.push(node.items); return; }
      if (node.properties && node.properties[key]) found.push(node.properties[key]);
      else if (node.additionalProperties && node.additionalProperties !== true) found.push(node.additionalProperties);
    });
    return found;
  }
  function candidates(spot) {
    var nodes = [schema];
    spot.path.concat(spot.key === null ? [] : [spot.key]).forEach(function (key, depth) {
      var open = [];
      nodes.forEach(function (node) { open = open.concat(expand(node, spot.levels[depth] || {}, 0)); });
      nodes = inside(open, key);
    });
    var level = spot.key === null ? spot.levels[spot.levels.length - 1] : {}, offered = {};
    nodes.forEach(function (start) {
      expand(start, level, 0).forEach(function (node) {
        if (spot.key === null) {
          Object.keys(node.properties || {}).forEach(function (key) {
            if (level[key] === undefined) offered[key] = offered[key] || describe(node.properties[key]);
          });
        } else {
          (node['enum'] || []).concat(node.examples || []).forEach(function (word) { offered[word] = offered[word] || ' '; });
          if (node.type === 'boolean') offered['true'] = offered['false'] = ' ';
        }
      });
    });
    return Object.keys(offered).map(function (word) { return {word: word, about: offered[word].trim()}; })
      .concat(names[spot.path[spot.path.length - 1] + '.' + spot.key] || []);
  }
  function describe(node) {
    return (node.description || target(node).description || ' ').split('\n')[0].slice(0, 90);
  }
  function offer(isAsked) {
    if (!schema) return hide();
    var spot = place(), word = spot.word;
    if (spot.isComment || (!isAsked && !word)) return hide();
    var list = candidates(spot).filter(function (c) { return c.word.indexOf(word) >= 0; });
    list.sort(function (a, b) {
      return (b.word.indexOf(word) === 0) - (a.word.indexOf(word) === 0) || (a.word < b.word ? -1 : 1);
    });
    if (!list.length || (list[0].word === word && !isAsked)) return hide();
    shown = list.slice(0, 60).map(function (c) {
      return {text: c.word + (spot.key === null ? ': ' : ''), word: c.word, about: c.about, length: word.length};
    });
    choose(0, true);
  }
  function choose(index, isNew) {
    chosen = (index + shown.length) % shown.length;
    if (isNew) {
      offers.textContent = '';
      shown.forEach(function (one, i) {
        var item = element('li');
        item.id = 'offer-' + i;
        item.setAttribute('role', 'option');
        item.appendChild(element('b', '', one.word));
        item.appendChild(element('span', '', one.about));
        item.addEventListener('pointerdown', function (event) { event.preventDefault(); accept(i); });
        offers.appendChild(item);
      });
      offers.hidden = false;
      locate();
    }
    Array.from(offers.children).forEach(function (item, i) {
      item.setAttribute('aria-selected', String(i === chosen));
      if (i === chosen && !isNew) item.scrollIntoView({block: 'nearest'});
    });
    area.setAttribute('aria-activedescendant', 'offer-' + chosen);
  }
  function locate() {
    var before = area.value.slice(0, area.selectionStart).split('\n'), style = getComputedStyle(area);
    var ruler = element('span', '', 'mmmmmmmmmm');
    ink.appendChild(ruler);
    var width = ruler.getBoundingClientRect().width / 10, height = parseFloat(style.lineHeight);
    ink.removeChild(ruler);
    var left = area.offsetLeft + parseFloat(style.paddingLeft) + (before[before.length - 1].length - shown[0].length) * width - area.scrollLeft;
    var top = parseFloat(style.paddingTop) + before.length * height - area.scrollTop;
    offers.style.left = Math.max(0, Math.min(left, root.clientWidth - offers.offsetWidth)) + 'px';
    offers.style.top = (top + offers.offsetHeight > root.clientHeight && top - height > offers.offsetHeight
      ? top - height - offers.offsetHeight : top) + 'px';
  }
  function hide() {
    offers.hidden = true;
    shown = [];
    area.removeAttribute('aria-activedescendant');
  }
  function accept(index) {
    var one = shown[index], at = area.selectionStart;
    hide();
    replace(at - one.length, at, one.text);
    hide();
  }

  // MARK: Events

  function edited() {
    draw();
    changed();
  }
  area.addEventListener('input', function (event) {
    edited();
    if (document.activeElement === area && (event.inputType || '').indexOf('insertText') === 0) offer(false); else hide();
  });
  area.addEventListener('scroll', function () { follow(); hide(); });
  // Keys and clicks in the text, not selections by the program.
  ['keyup', 'pointerup'].forEach(function (name) {
    area.addEventListener(name, function () { pointed(area.value.slice(0, area.selectionStart).split('\n').length); });
  });
  area.addEventListener('blur', hide);
  area.addEventListener('keydown', function (event) {
    if (event.key === ' ' && event.ctrlKey) { event.preventDefault(); offer(true); return; }
    if (event.key === 'Enter' && !shown.length && !event.isComposing) {
      // The next line begins like this one; below a key without a value it is indented.
      var line = area.value.slice(0, area.selectionStart).split('\n').pop();
      event.preventDefault();
      replace(area.selectionStart, area.selectionEnd, '\n' + /^ */.exec(line)[0] + (/:\s*$/.test(line) ? '  ' : ''));
      return;
    }
    if (!shown.length) return;
    var step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step) choose(chosen + step);
    else if (event.key === 'Enter' || event.key === 'Tab') accept(chosen);
    else if (event.key === 'Escape') hide();
    else { if (event.key.indexOf('Arrow') === 0) hide(); return; }
    event.preventDefault();
  });

  return {
    text: function () { return area.value; },
    // A new document; undo does not lead back.
    load: function (text) { area.value = text; area.setSelectionRange(0, 0); area.scrollTop = 0; hide(); edited(); },
    // The whole text, so that undo leads back.
    adopt: function (text) { replace(0, area.value.length, text); area.setSelectionRange(0, 0); area.scrollTop = 0; },
    replace: replace, undo: undo, position: position, select: select,
    setFaults: function (list) { faults = list; draw(); },
    setSchema: function (value) { schema = value; },
    // Words with descriptions that the schema does not list, by the last two keys: 'radios.wifi'.
    setNames: function (value) { names = value; }
  };
}
