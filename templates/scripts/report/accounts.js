// The account of one session for an issue, wherever it is called: from its transcript where the
// page carries that, else from its row and from what the row of its goal says of it.
var heads = null;
function cellWords(cell) {
  var copy = cell.cloneNode(true), chain = copy.querySelector("svg[aria-labelledby]");
  if (chain) return swarm.flat(d.getElementById(chain.getAttribute("aria-labelledby")));
  all(".od,.cls", copy).forEach(function (one) { one.remove(); });
  all(".sub", copy).forEach(function (one) { one.prepend("; "); });
  return swarm.flat(copy).replace(/ ?; /g, "; ").replace(/^; /, "");
}
function goalOf(k) { return readGoals().filter(function (goal) { return goal.runs.some(function (run) { return run.g === k.g && run.p === k.p; }); })[0]; }
// The title of the goal, and lines of its evidence that lead to the session, each as it speaks of
// all sessions that it is of.
function goalWords(goal, id) {
  var lines = [], holder = goal ? goal.element || raw(goal.html).firstElementChild : null, wait, inside, title;
  if (!holder) return { title: "", lines: lines };
  wait = holder.querySelector("noscript");
  inside = wait ? raw(wait.textContent) : holder;
  for (title = holder; title && !title.matches(".goalh,.g"); ) title = title.previousElementSibling;
  title = inside.querySelector("p.whole:not(.small)") || title && title.querySelector("h3");
  function isOf(link) { var at = link.getAttribute("href").split("#")[1] || ""; return at === id || at.indexOf(id + ".") === 0; }
  all(".ev > dd:not(.ss)", inside).forEach(function (line) {
    var head = line, said = line.cloneNode(true);
    if (!all("a[href]", line).some(isOf)) return;
    while (head && head.tagName !== "DT") head = head.previousElementSibling;
    all(".ids > *", said).forEach(function (one) { if (!one.matches("a") || !isOf(one)) one.remove(); });
    lines.push(swarm.flat(head) + ": " + swarm.flat(said));
  });
  return { title: swarm.flat(title), lines: lines };
}
function rowAccount(row) {
  var element = row.element || raw("<table>" + row.html + "</table>").querySelector("tr"), k = row.keys, href = hrefOf(row).split("?")[0], id = href.split("#")[1], own = element.querySelector("th .sub"), lines = [], goal = goalWords(goalOf(k), id);
  function label(key, value) { return (choices[key].filter(function (one) { return one[0] === value; })[0] || ["", ""])[1]; }
  heads = heads || all("#list thead th").map(swarm.flat);
  if (own) lines.push("Id: " + swarm.flat(own));
  lines.push("Goal: " + (goal.title || label("goal", k.g)), "Persona: " + label("persona", k.p), "Target: " + label("target", k.t));
  if (k.l) lines.push("First failed link: " + label("link", k.l));
  all("td", element).forEach(function (cell, at) { lines.push(heads[at + 1] + ": " + cellWords(cell)); });
  if (goal.lines.length) lines.push("", "Of the sessions of its goal, this one among them:");
  lines = lines.concat(goal.lines, "", "From the report of: " + swarm.flat(d.querySelector("h1")), href.charAt(0) === "#" ? swarm.flat(d.getElementById("carried")) : "Its transcript stands in " + href);
  return swarm.titled(element.querySelector("th a"), element.querySelector("td b"), lines.concat(swarm.origin(row.id)).join("\n"));
}
function accountOf(id) {
  readRows();
  readTranscripts();
  var row = rows[rowAt[id]] || rows[rowAt[id.replace(/^session/, "row")]], one = row && byRow[row.id];
  if (one) return swarm.account(one.element || raw(one.html).firstElementChild);
  return row ? rowAccount(row) : "";
}
// In each row of a session that did not meet its goal, beside its name.
function offerCopies(inside) {
  all("tr[data-k]", inside).forEach(function (one) {
    if (!NOT_MET[one.getAttribute("data-k").split("|")[3]] || one.querySelector(".cp")) return;
    one.querySelector("th").append(make("button", { type: "button", "class": "cl cls cp", title: "Copy for an issue", "aria-label": "Copy for an issue: " + swarm.flat(one.querySelector("th a")) }, ["Copy"]));
  });
}
// On a goal's row: its first session that did not meet it, as the row lists them.
swarm.hooks.failed = function (element) {
  var ones = all(".ss > span", element).filter(function (one) { return one.querySelector(".fail"); }), link = ones[0] && ones[0].querySelector("a[href*='#session.']");
  if (!choices || !link || all(".ss", element).length > 1) return null;
  return swarm.copier(function () { return accountOf(link.getAttribute("href").split("#")[1]); }, (ones.length > 1 ? "Copy first failed session" : "Copy failed session"), true);
};
