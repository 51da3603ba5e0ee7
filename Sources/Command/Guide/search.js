"use strict";
(() => {
  const index = JSON.parse(document.getElementById("index").textContent)
    .map(([file, title, shelf, words]) => ({ file, title, shelf, words, small: title.toLowerCase(), all: (title + " " + words).toLowerCase() }));
  const field = document.getElementById("q"), found = document.getElementById("found");
  const all = document.getElementById("all"), answer = document.getElementById("answer");
  const most = 50;
  // Whole titles first, then guides that have it in theirs, titles that begin so or hold it, and pages that tell of it; of equals the
  // shorter title.
  const rank = (entry, query, parts) => {
    const isTitled = parts.every(part => entry.small.includes(part));
    return entry.small === query ? 0 : isTitled && entry.file.startsWith("guides/") ? 1 : entry.small.startsWith(query) ? 2
      : isTitled ? 3 : entry.all.includes(query) ? 4 : 5;
  };
  const show = () => {
    const query = field.value.trim().toLowerCase(), parts = query.split(/\s+/);
    all.hidden = query !== "";
    found.hidden = query === "";
    found.textContent = "";
    if (query === "") { answer.textContent = "All pages of the guide."; return; }
    const hits = index.filter(entry => parts.every(part => entry.all.includes(part)))
      .map(entry => [rank(entry, query, parts), entry.title.length, entry])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    answer.textContent = hits.length === 0 ? `Nothing has “${field.value.trim()}”.`
      : hits.length === 1 ? "One page." : `${hits.length} pages${hits.length > most ? `, the first ${most}` : ""}.`;
    for (const [, , entry] of hits.slice(0, most)) {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = entry.file;
      link.textContent = entry.title;
      const where = document.createElement("span"), about = document.createElement("p");
      where.textContent = entry.shelf;
      about.textContent = entry.words.split("\n")[0];
      item.append(link, where, about);
      found.append(item);
    }
  };
  field.value = new URLSearchParams(location.search).get("q") || "";
  field.addEventListener("input", show);
  field.form.addEventListener("submit", event => {
    event.preventDefault();
    const first = found.querySelector("a");
    if (first) first.click();
  });
  document.addEventListener("keydown", event => {
    const links = [...found.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || links.length === 0 || (at < 0 && document.activeElement !== field)) return;
    const next = at + step;
    (next < 0 ? field : links[Math.min(next, links.length - 1)]).focus();
    event.preventDefault();
  });
  field.focus();
  show();
})();
