'use strict';
// The primary figures of each client: a table that stays in view. A row below a client says how it differs from the results
// before the last change of the text.
function StudioAnswer(root) {
  var narrow = matchMedia('(max-width:900px)'), last = null;
  // Results by number of replicas: those shown, and those before the text changed.
  var kept = {}, newest = null;

  function make(name, className, text) {
    var node = document.createElement(name);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }
  function read(head, text) {
    var clients = {};
    head.clients.forEach(function (one) { clients[one.name] = one.cells; });
    return {text: text, clients: clients, names: head.clients.map(function (c) { return c.name; }), metrics: head.metrics,
      series: head.before};
  }

  // MARK: Table

  function change(cell, old) {
    var node = make('td', 'change');
    if (!old || old.text === cell.text && (old.value === undefined || old.value === cell.value)) return node;
    var isNumber = cell.value !== undefined && old.value > 0, share = isNumber ? (cell.value / old.value - 1) * 100 : 0;
    // Every primary figure is better when it is lower. "never" is worse than any number; a dash means that nothing was measured.
    function rank(one) { return one.value !== undefined ? one.value : /[a-z]/.test(one.text) ? Infinity : NaN; }
    var now = rank(cell), was = rank(old), isKnown = now < was || now > was;
    var words = isNumber ? (share > 0 ? '+' : '\u2212') + (Math.abs(share) < 100 ? +Math.abs(share).toPrecision(2)
      : Math.round(Math.abs(share))) + ' %' : 'was ' + old.text;
    var isOpen = cell.isDecided === false;
    node.append(make('b', isOpen || !isKnown ? '' : now > was ? 'worse' : 'better', words));
    if (cell.interval) node.append(make('small', '', cell.interval));
    if (isOpen) node.append(make('small', '', 'undecided'));
    node.title = cell.difference || '';
    return node;
  }
  // Rows of cells, the titles of the columns first. Each row begins with its own title.
  function rows(found, before) {
    var titles = [make('td')].concat(found.metrics.map(function (metric) {
      var head = make('th', '', metric.label);
      head.title = metric.about;
      return head;
    }));
    var list = [titles];
    found.names.forEach(function (name, index) {
      var title = make('th', 'whose');
      title.append(make('i', 'key p' + index % 8), name);
      list.push([title].concat(found.clients[name].map(function (cell, at) {
        var node = make('td'), value = make('data', '', cell.text);
        value.value = cell.value === undefined ? cell.text : cell.value;
        node.dataset.metric = found.metrics[at].name;
        node.dataset.client = name;
        node.append(value);
        return node;
      })));
      var old = before && before.clients[name];
      if (!old) return;
      var changes = found.clients[name].map(function (cell, at) {
        var place = before.metrics.findIndex(function (m) { return m.name === found.metrics[at].name; });
        return change(cell, old[place]);
      });
      if (!changes.some(function (node) { return node.firstChild; })) return;
      var head = make('th', 'before', 'vs. last change:');
      if (found.clients[name].some(function (cell) { return cell.interval; })) {
        head.append(make('small', '', 'paired, with interval'));
      }
      list.push([head].concat(changes));
    });
    return list;
  }
  function draw() {
    if (!last) return;
    var list = rows(last.shown, last.before), table = make('table', 'primary'), isTurned = narrow.matches;
    if (isTurned) list = list[0].map(function (_, column) { return list.map(function (row) { return row[column]; }); });
    list.forEach(function (cells, number) {
      var row = make('tr');
      cells.forEach(function (cell, at) {
        if (cell.localName === 'th') cell.scope = number === 0 ? 'col' : 'row';
        row.append(cell);
      });
      table.append(row);
    });
    root.replaceChildren(table);
    // On a narrow page the column of the changed client may be out of view.
    var changed = isTurned && table.querySelector('td.change > b');
    if (changed) changed.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }
  narrow.addEventListener('change', draw);

  return {
    // The results that a run of this text is compared with, as the program sent them.
    before: function (text) {
      var known = kept[newest];
      if (!known) return undefined;
      return ((known.shown.text === text ? known.before : known.shown) || {}).series;
    },
    show: function (head, text) {
      var found = read(head, text), known = kept[head.replicas];
      var before = known ? (known.shown.text === text ? known.before : known.shown) : null;
      last = kept[head.replicas] = {shown: found, before: before};
      // Of the runs of all replicas, the newest alone is compared with the next: another number of replicas has no pairs.
      if (found.series) {
        if (newest !== head.replicas) delete kept[newest];
        newest = head.replicas;
      }
      draw();
    },
    // Another scenario: its figures are no change of the former ones.
    forget: function () { kept = {}; newest = null; }
  };
}
