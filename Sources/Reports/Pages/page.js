'use strict';
// Everything can be read without this: it adds zoom, a readout and a choice of light or dark. It changes only what is on
// the page already, loads nothing, and keeps what it remembers in the address.
(function () {
  var ns = 'http://www.w3.org/2000/svg', gutter = 132, plot = 980, full = 1120;
  function all(where, what) { return Array.prototype.slice.call(where.querySelectorAll(what)); }
  function make(name, parent, attributes) {
    var node = document.createElementNS(ns, name);
    for (var key in attributes) node.setAttribute(key, attributes[key]);
    return parent.appendChild(node);
  }
  function clock(ms) {
    var tenths = Math.round(ms / 100), h = Math.floor(tenths / 36000), m = Math.floor(tenths / 600) % 60, s = (tenths % 600) / 10;
    return (h ? h + 'h' : '') + (m ? m + 'm' : '') + (s || !(h || m) ? s + 's' : '');
  }
  function two(n) { return (n < 10 ? '0' : '') + n; }
  function timeOfDay(ms) {
    var tenths = Math.round(ms / 100), s = (tenths % 600) / 10;
    return two(Math.floor(tenths / 36000)) + ':' + two(Math.floor(tenths / 600) % 60) + (s ? ':' + two(s) : '');
  }

  // The address: #lanes-0=600000-900000&theme=dark, times in milliseconds.
  function read() {
    var kept = {};
    location.hash.slice(1).split('&').forEach(function (part) {
      var at = part.indexOf('=');
      if (at > 0) kept[part.slice(0, at)] = part.slice(at + 1);
    });
    return kept;
  }
  function keep(key, value) {
    var kept = read();
    if (value === null) delete kept[key]; else kept[key] = value;
    var text = Object.keys(kept).map(function (k) { return k + '=' + kept[k]; }).join('&');
    history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
  }

  function theme(name) {
    if (name === 'dark' || name === 'light') document.documentElement.setAttribute('data-theme', name);
  }
  theme(read().theme);
  all(document, '.theme').forEach(function (p) {
    p.hidden = false;
    p.firstElementChild.addEventListener('click', function () {
      var now = document.documentElement.getAttribute('data-theme') ||
        (matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light');
      theme(now === 'dark' ? 'light' : 'dark');
      keep('theme', now === 'dark' ? 'light' : 'dark');
    });
  });

  // A path of bars, sticks or slopes as periods; read once, when somebody first points at it.
  function periods(path) {
    if (path.periods) return path.periods;
    var list = [], bar = /M(-?\d+) -?\d+(?:h(\d+)|L(\d+))?/g, found;
    while ((found = bar.exec(path.getAttribute('d')))) {
      var start = +found[1];
      list.push([start, found[2] ? start + +found[2] : found[3] ? +found[3] : start]);
    }
    return (path.periods = list);
  }
  function holds(path, at) {
    return periods(path).some(function (p) { return p[0] <= at && at <= p[1]; });
  }
  // Three digits that mean something, and no powers of ten.
  function short(value) {
    return value > 0 ? value.toFixed(Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(value))))) : '0';
  }
  // Joules so far at a step, between the points of the line.
  function joules(path, at, height, whole) {
    if (!path.points) path.points = path.getAttribute('d').slice(1).split('L').map(function (p) { return p.split(' ').map(Number); });
    var points = path.points, low = 0, high = points.length - 1;
    while (high - low > 1) {
      var middle = (low + high) >> 1;
      if (points[middle][0] <= at) low = middle; else high = middle;
    }
    var a = points[low], b = points[high], share = b[0] > a[0] ? Math.min(1, (at - a[0]) / (b[0] - a[0])) : 1;
    return short((height - (a[1] + (b[1] - a[1]) * share)) / height * whole) + ' J';
  }
  var words = {
    'k-zombie': 'dead connection, believed open', 'k-frozen': 'frozen with a dead connection', 'k-blocked': 'connection blocked', 'k-works': 'connected',
    'r-active': 'radio transfers', 'r-tail': 'radio in its tail', 'r-promo': 'radio promotes', 'r-search': 'radio searches',
    'r-idle': 'radio idle'
  };

  function activate(lanes) {
    // Milliseconds of a step of the drawing.
    var length = +lanes.dataset.length, tick = +lanes.dataset.span / 1e6 / length, part = lanes.closest('.part');
    var controls = part.querySelector('.controls'), readout = part.querySelector('.readout');
    var start = lanes.dataset.clock, view = [0, length], ruler = lanes.querySelector('.ruler'), ticks = ruler.querySelector('.ticks');
    var events = all(ruler, '.event'), patterns = all(ruler, 'pattern'), times = all(lanes, 'svg.time');
    var blocks = all(lanes, 'svg.block'), strategies = all(lanes, '.strategy');
    var tickY = ticks.firstElementChild ? ticks.firstElementChild.getAttribute('y') : 10;
    controls.hidden = false;
    readout.hidden = false;

    function x(t) { return gutter + (t - view[0]) / (view[1] - view[0]) * plot; }
    function show(from, to) {
      var span = Math.min(Math.max(to - from, Math.max(20, 200 / tick)), length);
      from = Math.min(Math.max(0, from), length - span);
      view = [from, from + span];
      lanes.classList.toggle('zoomed', span <= length / 8);
      times.forEach(function (svg) {
        var box = svg.getAttribute('viewBox').split(' ');
        svg.setAttribute('viewBox', from + ' 0 ' + span + ' ' + box[3]);
      });
      patterns.forEach(function (p) { p.setAttribute('patternTransform', 'scale(' + span / plot + ' 10) rotate(45)'); });
      events.forEach(function (text) {
        var at = x(+text.dataset.at), inside = at >= gutter - 1 && at <= gutter + plot + 1;
        text.style.display = inside ? '' : 'none';
        text.setAttribute('x', at + (text.classList.contains('flip') ? -3 : 3));
      });
      drawTicks();
      keep(lanes.id, span === length ? null : Math.round(from * tick) + '-' + Math.round(view[1] * tick));
    }
    function text(ms) { return start === undefined ? clock(ms) : timeOfDay(+start + ms); }
    function drawTicks() {
      var span = (view[1] - view[0]) * tick, step = 1, sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1.5e4, 3e4,
        6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5, 864e5, 1728e5, 2592e5, 432e6];
      sizes.some(function (size) { step = size; return span / size <= 10; });
      while (ticks.firstChild) ticks.removeChild(ticks.firstChild);
      for (var at = Math.ceil(view[0] * tick / step) * step; at <= view[1] * tick; at += step) {
        var digits = step < 100 ? ((at / 1000) % 60).toFixed(3) + 's' : text(at);
        make('text', ticks, {x: x(at / tick), y: tickY}).textContent = at === 0 && start === undefined ? '0' : digits;
      }
    }
    function zoom(factor, center) {
      var at = center === undefined ? (view[0] + view[1]) / 2 : center, span = (view[1] - view[0]) * factor;
      show(at - (at - view[0]) * factor, at - (at - view[0]) * factor + span);
    }
    var verbs = {
      'in': function () { zoom(0.5); }, out: function () { zoom(2); }, all: function () { show(0, length); },
      left: function () { var d = (view[1] - view[0]) / 4; show(view[0] - d, view[1] - d); },
      right: function () { var d = (view[1] - view[0]) / 4; show(view[0] + d, view[1] + d); }
    };
    all(controls, 'button').forEach(function (b) { b.addEventListener('click', verbs[b.dataset.do]); });
    strategies.forEach(function (strategy, index) {
      var button = document.createElement('button');
      button.type = 'button';
      button.textContent = strategy.querySelector('b').textContent;
      button.setAttribute('aria-pressed', 'true');
      button.title = 'show or hide this strategy';
      button.addEventListener('click', function () {
        strategy.hidden = !strategy.hidden;
        button.setAttribute('aria-pressed', String(!strategy.hidden));
      });
      if (strategies.length > 1) controls.appendChild(button);
    });
    var keys = {'+': 'in', '=': 'in', '-': 'out', '0': 'all', ArrowLeft: 'left', ArrowRight: 'right', Home: 'all'};
    lanes.addEventListener('keydown', function (event) {
      if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
      event.preventDefault();
      verbs[keys[event.key]]();
    });
    lanes.addEventListener('wheel', function (event) {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, at(event));
    }, {passive: false});

    function at(event) {
      var box = blocks[0].getBoundingClientRect();
      var px = (event.clientX - box.left) / box.width * full;
      return view[0] + Math.min(Math.max((px - gutter) / plot, 0), 1) * (view[1] - view[0]);
    }
    var cursors = blocks.map(function (svg) {
      var height = svg.viewBox.baseVal.height;
      return {line: make('path', svg, {'class': 'cursor', d: ''}), brush: make('rect', svg, {'class': 'brush', y: 0, height: height, width: 0}),
        height: height};
    });
    var from = null;
    function point(event) {
      var t = at(event), px = x(t);
      cursors.forEach(function (c) {
        c.line.setAttribute('d', 'M' + px + ' 0V' + c.height);
        c.brush.setAttribute('width', from === null ? 0 : Math.abs(px - x(from)));
        if (from !== null) c.brush.setAttribute('x', Math.min(px, x(from)));
      });
      readout.textContent = text(t * tick) + '  ' + strategies.filter(function (s) { return !s.hidden; }).map(function (s) {
        var states = Object.keys(words).filter(function (kind) {
          return kind !== 'r-idle' && all(s, 'path.' + kind + ':not(.far *)').some(function (path) { return holds(path, t); });
        }).map(function (kind) { return words[kind]; });
        var line = s.querySelector('path.e-line');
        if (line) states.push(joules(line, t, 300, +lanes.dataset.joules));
        return s.querySelector('b').textContent + ': ' + states.join(', ');
      }).join('  |  ');
    }
    lanes.addEventListener('pointermove', point);
    lanes.addEventListener('pointerleave', function () {
      from = null;
      cursors.forEach(function (c) { c.line.setAttribute('d', ''); c.brush.setAttribute('width', 0); });
      readout.textContent = '';
    });
    lanes.addEventListener('pointerdown', function (event) {
      if (event.button === 0 && event.pointerType !== 'touch') { from = at(event); event.preventDefault(); lanes.focus(); }
    });
    lanes.addEventListener('pointerup', function (event) {
      var to = at(event), start = from;
      from = null;
      if (start !== null && Math.abs(x(to) - x(start)) > 5) show(Math.min(start, to), Math.max(start, to));
      point(event);
    });

    function restore() {
      var kept = (read()[lanes.id] || '').split('-').map(Number);
      if (kept.length === 2 && kept[0] >= 0 && kept[1] > kept[0]) show(kept[0] / tick, kept[1] / tick);
    }
    restore();
    lanes.restore = restore;
  }
  // A slider over the rows of a table; the point of the row is marked in the chart.
  all(document, '.pointer').forEach(function (box) {
    var input = box.querySelector('input'), rows = all(box.parentNode, 'tr[data-point]');
    function show(point) {
      rows.forEach(function (row) { row.hidden = point !== null && row.dataset.point !== point; });
      all(document, 'svg [data-point]').forEach(function (mark) { mark.classList.toggle('chosen', mark.dataset.point === point); });
    }
    box.hidden = false;
    input.addEventListener('input', function () { show(input.value); });
    box.querySelector('button').addEventListener('click', function () { show(null); });
  });
  function activateAll() { all(document, '.lanes').forEach(function (lanes) { if (!lanes.restore) activate(lanes); }); }
  activateAll();
  addEventListener('hashchange', function () { all(document, '.lanes').forEach(function (lanes) { lanes.restore(); }); });
  // A page that replaces its lanes, such as the studio, calls this for the new ones.
  window.activateLanes = activateAll;
})();
