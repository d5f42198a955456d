// Transcripts, in the order of the list; those that wait are built when they are opened.
var transcripts = null, byRow = {}, byId = {}, opened = d.getElementById("opened");
function readTranscripts() {
  if (transcripts) return transcripts;
  transcripts = [];
  function add(one) { one.at = transcripts.length; transcripts.push(one); byRow[one.row] = one; byId[one.id] = one; }
  all("details.tx").forEach(function (element) { add({ element: element, id: element.id, row: element.getAttribute("data-x") }); });
  all("noscript.txs").forEach(function (chunk) {
    chunk.textContent.split(/(?=<details class="tx" id=")/).forEach(function (html) {
      if (html.indexOf('<details class="tx"') === 0) add({ html: html, id: attribute(html, "id"), row: attribute(html, "data-x") });
    });
    chunk.remove();
  });
  return transcripts;
}
function build(one) {
  if (one.element) return one.element;
  var next = transcripts.slice(one.at + 1).filter(function (other) { return other.element; })[0];
  one.element = parse(one.html).firstElementChild;
  if (next) next.element.before(one.element); else opened.append(one.element);
  markSoon();
  return one.element;
}

// The list of sessions. A long one is drawn in parts, whatever the filter leaves.
var STEP = 100, AT_FIRST = 25, rows = null, rowAt = {}, groups = [], found = [], foundFor = null, drawn = null, from = 0, to = 0, more = null, earlier = null, body = null;
function keysOf(text) { var k = text.split("|"); return { p: k[0], g: k[1], t: k[2], d: k[3], s: k[4] ? k[4].split(" ") : [], l: k[5], e: k[6] ? k[6].split(" ") : [] }; }
function readRows() {
  if (rows) return rows;
  rows = [];
  if (isLateList) {
    var rest = d.getElementById("rows"), head = "", html = all("#list > table > tbody").map(function (one) { return one.innerHTML; }).join("") + (rest ? rest.textContent : "");
    html.split(/(?=<tr[ >])/).forEach(function (piece) {
      var end = piece.indexOf("</tr>");
      if (end < 0 || piece.indexOf("<tr") !== 0 || piece.indexOf('role="row"') > 0 && piece.indexOf("columnheader") > 0) return;
      piece = piece.slice(0, end + 5);
      if (attribute(piece, "class") === "grp") { head = piece; return; }
      rows.push({ html: piece, head: head, id: attribute(piece, "id"), keys: keysOf(attribute(piece, "data-k")) });
    });
    if (rest) rest.remove();
  } else {
    all("#list tr[data-k]").forEach(function (element) { rows.push({ element: element, id: element.id, keys: keysOf(element.getAttribute("data-k")) }); });
    all("#list .sg").forEach(function (box) { groups.push({ box: box, rows: all("tr[data-k]", box) }); });
    rows.forEach(function (row) { row.box = row.element.parentElement; });
  }
  rows.forEach(function (row, at) { rowAt[row.id] = at; row.at = at; });
  return rows;
}
function drawRows() {
  // Rows that are there already stay; what follows them is added.
  var html = "", head = null, at = from, adds = Boolean(drawn) && drawn.found === found && drawn.from === from && drawn.to <= to, start, made;
  if (adds) { at = drawn.to; head = drawn.head; }
  start = at;
  for (; at < to && at < found.length; at += 1) {
    if (!order() && found[at].head !== head) { head = found[at].head; html += head; }
    html += found[at].html;
  }
  if (!body) {
    var bodies = all("#list > table > tbody");
    body = bodies[0];
    bodies.slice(1).forEach(function (one) { one.remove(); });
    body.setAttribute("role", "rowgroup");
  }
  // No recorded text holds a bracket of markup, so every "<t" is a tag of ours.
  made = parse(html.replace(/<tr(?=[ >])/g, '<tr role="row"').replace(/<td(?=[ >])/g, '<td role="cell"').replace(/<th(?=[ >])/g, '<th role="rowheader"'));
  all("tr[data-k] th a", made).forEach(function (link, place) { carry(link, start + place); });
  offerCopies(made);
  if (order()) all("tr", made).forEach(function (one) { tag(one, rows[rowAt[one.id]]); });
  if (adds) body.append(made); else body.replaceChildren(made);
  drawn = { found: found, from: from, to: Math.min(to, found.length), head: head };
  steps();
  markSoon();
}
function steps() {
  var left = (rows ? found.length : total) - to;
  if (!more) {
    more = make("button", { type: "button", "class": "mb" });
    earlier = make("button", { type: "button", "class": "mb", hidden: "" });
    more.addEventListener("click", function () { matchRows(); to += STEP; drawRows(); });
    earlier.addEventListener("click", function () { from = Math.max(0, from - STEP); drawRows(); });
    list.before(earlier);
    list.append(more);
  }
  more.hidden = left <= 0;
  more.textContent = "Show " + number(Math.min(STEP, left)) + " more of " + number(left);
  earlier.hidden = from === 0;
  earlier.textContent = "Show the " + number(Math.min(STEP, from)) + " before these, of " + number(from);
}
// Another order than the planned one: largest values first, across groups, so that each row
// says its value and the group it is of. A session without a value stands last.
var ordersAt = d.getElementById("orders"), orders = ordersAt ? JSON.parse(ordersAt.textContent) : [], ordered = null;
if (choices) choices.order = orders.map(function (one) { return [one.name, one.label]; });
function order() { return state.order ? orders.filter(function (one) { return one.name === state.order; })[0] : null; }
function valuesOf(by) {
  if (typeof by.values === "string") by.values = by.values.split(" ").map(function (one) { return one === "-" ? -1 : Number(one); });
  return by.values;
}
function arranged(kept) {
  var by = order(), values;
  if (!by) return kept;
  values = valuesOf(by);
  return kept.sort(function (one, other) { return values[other.at] - values[one.at] || one.at - other.at; });
}
function orderWords() {
  var by = order(), values, without;
  if (!by) return "";
  values = valuesOf(by);
  without = found.filter(function (row) { return values[row.at] < 0; }).length;
  return ", " + by.label.charAt(0).toLowerCase() + by.label.slice(1) + (without ? "; " + number(without) + " without a recorded value last" : "");
}
function valueWords(by, at) {
  var value = valuesOf(by)[at];
  if (value < 0) return by.units + " not recorded";
  if (typeof by.words === "string") by.words = by.words.split("|");
  return by.words ? by.words[at] : number(value) + " " + (value === 1 ? by.unit : by.units);
}
function groupOf(row) {
  var head = row.element ? row.box.querySelector("tr.grp th") : parse("<table>" + row.head + "</table>").querySelector("th");
  return head ? head.firstChild.data.trim() : "";
}
function tag(element, row) {
  var by = order(), group = groupOf(row);
  words(row);
  all(".od", element).forEach(function (one) { one.remove(); });
  if (by.unit) element.children[1].append(make("span", { "class": "sub od" }, [make("b", {}, [valueWords(by, row.at)])]));
  if (group && groupsTell()) element.children[element.children[2].getAttribute("data-l") === "Target" ? 3 : 2].prepend(make("span", { "class": "sub od" }, [group]));
}
// One group is no news on any row of it.
function groupsTell() { return isLateList ? rows.some(function (row) { return row.head !== rows[0].head; }) : groups.length > 1; }
// A list that is there whole is moved, not drawn: into one body, and back under its heads.
function arrangeBuilt() {
  var by = order();
  if (!by && !ordered) return;
  if (!ordered) { ordered = make("tbody", { role: "rowgroup" }); groups[0].box.before(ordered); }
  if (by) { found.forEach(function (row) { tag(row.element, row); }); ordered.append.apply(ordered, found.map(function (row) { return row.element; })); }
  else {
    all(".od", ordered).forEach(function (one) { one.remove(); });
    groups.forEach(function (group) { group.box.append.apply(group.box, group.rows); });
    ordered.remove();
    ordered = null;
  }
}
var total = list ? Number(list.getAttribute("data-total")) : 0;
