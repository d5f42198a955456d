(function () {
  "use strict";
  var d = document, all = swarm.all, make = swarm.make, number = swarm.number, soon = window.requestIdleCallback || function (work) { return setTimeout(work, 50); };
  var list = d.getElementById("list"), late = d.querySelector("noscript") !== null, isLateList = Boolean(list && list.hasAttribute("data-late"));
  var data = d.getElementById("choices"), choices = data ? JSON.parse(data.textContent) : null;
  var blocked = d.getElementById("blocked");
  if (blocked) blocked.remove();
  // On a small screen an open goal is several screens long: the list of them comes first.
  var isNarrow = matchMedia("(max-width: 880px)").matches;
  if (isNarrow) {
    all("#goals details.j[open], #goals details.g[open]").slice(1).forEach(function (one) { one.open = false; });
    all("#goals-open").forEach(function (one) { one.remove(); });
  }
  all(".wait").forEach(function (one) { one.hidden = false; });

  // What a long page holds back stands in noscript elements: one text each, until it is wanted.
  var waiting = make("div", { hidden: "", id: "waiting" }), waits = {};
  function adopt(fragment) {
    all("[id]", fragment).forEach(function (one) { if (waits[one.id]) { waits[one.id].remove(); delete waits[one.id]; } });
    return fragment;
  }
  // Markup is made in one place, of what the page itself holds; the policy allows no other.
  var ours = { createHTML: function (html) { return html; } };
  if (window.trustedTypes) ours = trustedTypes.createPolicy("swarm-report", ours);
  function parse(html) { var holder = d.createElement("template"); holder.innerHTML = ours.createHTML(html); return adopt(holder.content); }
  function unpack(one) { var parent = one.parentElement; one.replaceWith(parse(one.textContent)); swarm.addCopiers(parent); }
  function holdsNoscript(one) { return all(":scope > noscript, :scope > .gb > noscript", one); }
  // Every link has a place to lead to, also while that place waits. A link that is followed
  // before finds its place all the same, so this is left until nobody is busy.
  var marking = 0;
  function markSoon() { clearTimeout(marking); marking = setTimeout(function () { soon(markWaiting); }, 400); }
  function markWaiting() {
    all('a[href^="#"]').forEach(function (link) {
      var id = decodeURIComponent(link.getAttribute("href").slice(1));
      if (!id || id.indexOf("=") >= 0 || d.getElementById(id)) return;
      waits[id] = make("span", { id: id, "data-wait": "" });
      waiting.append(waits[id]);
    });
  }
  var ENTITIES = { amp: "&", lt: "<", gt: ">", "#34": '"', "#39": "'", quot: '"' };
  function plain(html) { return html.replace(/<[^>]*>/g, " ").replace(/&(amp|lt|gt|#34|#39|quot);/g, function (whole, name) { return ENTITIES[name]; }).replace(/\s+/g, " ").toLowerCase(); }
  function words(one) {
    if (one.text === undefined) one.text = one.html === undefined ? one.element.textContent.replace(/\s+/g, " ").toLowerCase() : plain(one.html);
    return one.text;
  }
  function attribute(html, name) { var found = new RegExp(" " + name + '="([^"]*)"').exec(html.slice(0, html.indexOf(">") + 1)); return found ? found[1] : ""; }

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
  function long(ms) { return ms >= 600000 ? number(Math.round(ms / 60000)) + "\u00a0min" : (ms / 1000).toFixed(1) + "\u00a0s"; }
  function valueWords(by, value) {
    if (value < 0) return (by.unit === "ms" ? "duration" : by.units) + " not recorded";
    return by.unit === "ms" ? long(value) : number(value) + " " + (value === 1 ? by.unit : by.units);
  }
  function groupOf(row) {
    var head = row.element ? row.box.querySelector("tr.grp th") : parse("<table>" + row.head + "</table>").querySelector("th");
    return head ? head.firstChild.data.trim() : "";
  }
  function tag(element, row) {
    var by = order(), group = groupOf(row);
    words(row);
    all(".od", element).forEach(function (one) { one.remove(); });
    if (by.unit) element.children[1].append(make("span", { "class": "sub od" }, [make("b", {}, [valueWords(by, valuesOf(by)[row.at])])]));
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

  // One state for sessions, goals and findings; it lives in the fragment.
  var state = {}, bars = [], KEYS = ["persona", "goal", "target", "disp", "link", "basis", "scope", "signal", "tool", "order", "q"];
  var LABELS = { persona: "Persona", goal: "Goal", target: "Target", disp: "Outcome", link: "First failed link", basis: "Rests on", scope: "Speaks of", signal: "Recorded fact", tool: "Tool with an error", order: "Order" };
  // More choices than these are typed, with the rest of the name offered; fewer are chosen.
  var MANY = 20, FEW = 8, UNKNOWN = "=", offers = {};
  function searchLabel(place) {
    if (place === "goals") return "Words of goals and findings";
    return opened ? "Words, also of the transcripts here" : "Words of this list";
  }
  function options(key) { return key === "disp" ? choices.outcome.concat(choices.disposition) : choices[key]; }
  function isTyped(key) { return key !== "disp" && options(key).length > (key === "tool" ? FEW : MANY); }
  var FIELDS = { sessions: ["persona", "goal", "target", "disp", "link", "signal", "tool", "q", "order"], goals: ["persona", "goal", "target", "disp", "link", "basis", "scope", "signal", "tool", "q"] };
  // Outcomes that mean that the goal was not met.
  var NOT_MET = {};
  if (choices) choices.outcome.forEach(function (one) { if (one[1] === "not met") one[0].split(" ").forEach(function (word) { NOT_MET[word] = true; }); });
  function option(one) { return make("option", { value: one[0], label: one[1] }); }
  function chooser(key) {
    if (key === "order") return make("select", {}, [make("option", { value: "", label: "As planned" })].concat(choices.order.map(option)));
    var inside = key !== "disp" ? options(key).map(option) : [make("optgroup", { label: "All that" }, choices.outcome.map(option)), make("optgroup", { label: "One outcome" }, choices.disposition.map(option))];
    return make("select", {}, [make("option", { value: "", label: "All" })].concat(inside));
  }
  function typer(key) {
    var field = make("input", { type: "text", list: "offers-" + key, placeholder: "All, or part of a name", autocomplete: "off" });
    field.addEventListener("focus", function () {
      if (offers[key]) return;
      offers[key] = make("datalist", { id: "offers-" + key }, options(key).map(function (one) { return make("option", { value: one[1] }); }));
      d.body.append(offers[key]);
    });
    return field;
  }
  function buildBar(place) {
    var form = make("form", { "class": "filt", "aria-label": "Filter " + place }), fields = {}, typing = 0, labels = [], box = null;
    FIELDS[place].forEach(function (key) {
      var field;
      if (key === "q") field = make("input", { type: "search" });
      else {
        if (choices[key === "disp" ? "disposition" : key].length < (key === "order" || key === "tool" ? 1 : 2)) return;
        field = isTyped(key) ? typer(key) : chooser(key);
      }
      field.addEventListener("input", function () {
        state[key] = field.value;
        clearTimeout(typing);
        if (key === "order") { arrange(); keep(place, true); return; }
        if (field.tagName === "SELECT") { apply(); keep(place, true); return; }
        // The first letter begins a step back; the letters after it belong to the same one.
        keep(place, !wasTyping);
        wasTyping = true;
        follow(place);
        typing = setTimeout(apply, 250);
      });
      field.addEventListener("blur", function () { wasTyping = false; });
      fields[key] = field;
      labels.push(make("label", {}, [LABELS[key] || searchLabel(place), field]));
    });
    // Nine fields above one another would hide on a small screen what they are about.
    if (isNarrow) box = make("details", { "class": "fold fb" }, [make("summary", {}, ["Filter and search"]), make("div", { "class": "fl" }, labels)]);
    form.append.apply(form, box ? [box] : labels);
    var clear = make("button", { type: "button", hidden: "" }, ["Clear"]), toggle = make("button", { type: "button" }, ["Open all"]), out = make("output", { "aria-live": "polite" });
    clear.addEventListener("click", function () { state = state.order ? { order: state.order } : {}; apply(); keep(place, true); (fields.q || form.querySelector("button")).focus(); });
    toggle.addEventListener("click", function () {
      var open = toggle.textContent === "Open all";
      if (place === "sessions") openSessions(open); else openGoals(open);
      toggle.textContent = open ? "Close all" : "Open all";
    });
    var paper = make("span", { "class": "fw" });
    form.append(clear, place === "sessions" && !opened ? "" : toggle, swarm.copier(function () { return swarm.linkTo(fragment(place)); }, "Copy link to this view"), out, paper);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    return { form: form, fields: fields, out: out, place: place, clear: clear, box: box, paper: paper };
  }
  var wasTyping = false, AT_ONCE = 20;
  function openSessions(open) {
    if (!open) { all("details.tx[open]").forEach(function (one) { one.open = false; }); return; }
    readTranscripts();
    var wanted = matchRows().slice(from, isLateList ? to : found.length).map(function (row) { return byRow[row.id]; }).filter(Boolean);
    // Opening hundreds of transcripts at once would only stall the page.
    if (late) wanted = wanted.slice(0, AT_ONCE);
    wanted.forEach(function (one) { build(one).open = true; });
    if (late) say("sessions", "; the first " + number(wanted.length) + " transcripts are open");
  }
  function openGoals(open) {
    var shown = all("#goals details.g, #goals details.j").filter(function (one) { return !one.hidden; });
    if (late && open) shown = shown.slice(0, AT_ONCE);
    shown.forEach(function (one) { one.open = open; });
    if (late && open) say("goals", "; the first " + number(shown.length) + " are open");
  }
  function say(place, tail) { bars.forEach(function (bar) { if (bar.place === place) bar.out.textContent += tail; }); }

  // What the state asks for: by key, the values that are wanted, or null where all are.
  function wantedOf(key) {
    var said = state[key], typed, offered, same, set = {};
    if (!said) return null;
    if (said.charAt(0) === UNKNOWN && !isTyped(key)) return set;
    if (!isTyped(key)) { said.split(" ").forEach(function (one) { set[one] = true; }); return set; }
    typed = said.trim().toLowerCase();
    offered = options(key).map(function (one) { return [one[0], one[1].toLowerCase()]; });
    same = offered.filter(function (one) { return one[1] === typed; });
    (same.length ? same : offered.filter(function (one) { return one[1].indexOf(typed) >= 0; })).forEach(function (one) { set[one[0]] = true; });
    return set;
  }
  function wanted() {
    var want = {};
    KEYS.forEach(function (key) { if (key !== "order") want[key] = key === "q" ? (state.q || "").toLowerCase() : wantedOf(key); });
    return want;
  }
  function some(set, values) { return !set || values.some(function (one) { return set[one]; }); }
  function holdsKeys(k, want) {
    return (!want.persona || want.persona[k.p]) && (!want.goal || want.goal[k.g]) && (!want.target || want.target[k.t]) && (!want.disp || want.disp[k.d]) && (!want.link || want.link[k.l]) && some(want.signal, k.s) && some(want.tool, k.e);
  }
  function holds(row, want) {
    if (!holdsKeys(row.keys, want)) return false;
    if (!want.q || words(row).indexOf(want.q) >= 0) return true;
    return Boolean(byRow[row.id]) && words(byRow[row.id]).indexOf(want.q) >= 0;
  }
  function any() { return KEYS.some(function (key) { return key !== "order" && state[key]; }); }
  function matchRows() {
    var want, asked = JSON.stringify(state);
    if (foundFor === asked) return found;
    want = wanted();
    if (want.q) readTranscripts();
    found = arranged(readRows().filter(function (row) { return holds(row, want); }));
    foundFor = asked;
    return found;
  }
  // While words are typed, ten thousand transcripts are searched a slice at a time, so that no
  // letter waits for the one before it; a newer letter ends the search for an older one.
  var search = 0;
  function matchSoon(done) {
    var want = wanted(), asked = JSON.stringify(state), mine = search += 1, kept = [], at = 0, searched;
    if (want.q) readTranscripts();
    searched = readRows();
    function slice(ms) {
      var end = performance.now() + ms;
      for (; at < searched.length; at += 1) {
        if (at % 50 === 0 && performance.now() > end) { setTimeout(function () { if (mine === search) slice(12); }, 0); return; }
        if (holds(searched[at], want)) kept.push(searched[at]);
      }
      found = arranged(kept);
      foundFor = asked;
      done();
    }
    slice(8);
  }
  function follow(place) {
    if (!isLateList || place !== "sessions") { apply(place); return; }
    matchSoon(function () { from = 0; to = AT_FIRST; drawRows(); tell(place, found.length); });
  }
  // An order changes nothing but the list: what is seen of it first, the rest a moment later.
  function arrange() {
    if (!isLateList) { apply("sessions"); return; }
    search += 1;
    matchRows();
    from = 0;
    to = AT_FIRST;
    drawRows();
    tell("sessions", found.length);
    setTimeout(function () { if (to < STEP) { to = STEP; drawRows(); } all("details.tx[open]").forEach(function (one) { one.dispatchEvent(new Event("filtered")); }); }, 100);
  }
  function hideTranscripts(kept) {
    if (!transcripts) { if (!any()) return; readTranscripts(); }
    var shown = {};
    kept.forEach(function (row) { shown[row.id] = true; });
    transcripts.forEach(function (one) { if (one.element) one.element.hidden = !shown[one.row]; });
  }
  function applySessions() {
    if (isLateList && !rows && !any() && !order()) { to = all("#list tr[data-k]").length; steps(); return total; }
    search += 1;
    matchRows();
    if (isLateList) { from = 0; to = STEP; drawRows(); }
    else {
      var shown = {};
      found.forEach(function (row) { shown[row.id] = true; });
      rows.forEach(function (row) { if (row.element.hidden === Boolean(shown[row.id])) row.element.hidden = !shown[row.id]; });
      arrangeBuilt();
      if (edition) found.forEach(function (row, at) { carry(row.element.querySelector("th a"), at); });
      groups.forEach(function (group) { group.box.hidden = Boolean(ordered) || !group.rows.some(function (row) { return !row.hidden; }); });
    }
    hideTranscripts(found);
    return found.length;
  }

  // Goals: a run is kept by its keys, a finding by what it rests on and how far it speaks.
  var goals = null, restButton = null, shownGoals = 0, goalsLeft = 0;
  function keyParts(text) { return text ? text.split(" ").map(function (one) { return one.split(":"); }) : []; }
  function runKeys(text) { var k = text.split("|"); return { p: k[0], g: k[1], sessions: keyParts(k[2]), findings: keyParts(k[3]) }; }
  function readGoals() {
    if (goals) return goals;
    goals = [];
    all("#goals details.g").forEach(function (element) { goals.push({ element: element, runs: element.getAttribute("data-runs").split(";").map(runKeys) }); });
    all("#goals noscript.rest").forEach(function (rest) {
      rest.textContent.split(/(?=<details class="g" id=")/).forEach(function (html) {
        if (html.indexOf('<details class="g"') === 0) goals.push({ html: html, runs: attribute(html, "data-runs").split(";").map(runKeys) });
      });
      restButton = make("button", { type: "button", "class": "mb" });
      restButton.addEventListener("click", function () { shownGoals += STEP; apply(); });
      rest.replaceWith(restButton);
    });
    if (!goals.length) all("#goals details.j").forEach(function (element) { goals.push({ element: element, runs: [runKeys(element.getAttribute("data-run"))] }); });
    return goals;
  }
  function buildGoal(one) {
    if (!one.element) { one.element = parse(one.html).firstElementChild; restButton.before(one.element); }
    return one.element;
  }
  // What is asked of sessions is asked of one and the same, and so is what is asked of findings.
  function holdsOf(ones, asked) {
    return !asked.some(Boolean) || ones.some(function (one) {
      return asked.every(function (set, at) { return !set || one[at].split("+").some(function (word) { return set[word]; }); });
    });
  }
  function holdsRun(k, want) {
    return (!want.persona || want.persona[k.p]) && (!want.goal || want.goal[k.g]) &&
      holdsOf(k.sessions, [want.target, want.disp, want.link, want.signal, want.tool]) &&
      (!want.basis && !want.scope || holdsOf(k.findings, [want.target, want.basis, want.scope]));
  }
  function holdsFinding(one) { return (!state.basis || one.getAttribute("data-b") === state.basis) && (!state.scope || one.getAttribute("data-k") === state.scope); }
  function narrow(inside, asked) {
    var want = asked || wanted();
    all("[data-b]", inside).forEach(function (one) { one.hidden = !holdsFinding(one); });
    all("article[data-run]", inside).forEach(function (run) { run.hidden = !holdsRun(runKeys(run.getAttribute("data-run")), want); });
  }
  function applyGoals() {
    var runs = 0, kept = 0, all_ = 0, want = wanted(), q = want.q, left = 0, filtered = any();
    readGoals().forEach(function (goal, at) {
      var matching = goal.runs.filter(function (k) { return holdsRun(k, want); }).length, shown;
      all_ += goal.runs.length;
      if (matching && q && words(goal).indexOf(q) < 0) matching = 0;
      runs += matching;
      shown = matching > 0;
      if (shown && !goal.element) {
        if (filtered ? kept < AT_FIRST + shownGoals : at < shownGoals) buildGoal(goal); else { left += 1; return; }
      }
      if (shown) kept += 1;
      if (goal.element) { goal.element.hidden = !shown; if (shown) narrow(goal.element, want); }
    });
    goalsLeft = left;
    if (restButton) { restButton.hidden = left === 0; restButton.textContent = "Show " + number(Math.min(STEP, left)) + " more of " + number(left) + " goals"; }
    all("#goals .goalh").forEach(function (head) {
      var next = head.nextElementSibling, some = false;
      while (next && !next.classList.contains("goalh")) { some = some || !next.hidden; next = next.nextElementSibling; }
      head.hidden = !some;
    });
    var causes = all("#causes [data-b]"), none = d.getElementById("no-cause");
    all("#causes [data-b], #recorded [data-b]").forEach(function (one) { one.hidden = !holdsFinding(one) || Boolean(q && one.textContent.toLowerCase().indexOf(q) < 0); });
    if (none) none.remove();
    if (causes.length && causes.every(function (one) { return one.hidden; })) causes[0].before(make("p", { id: "no-cause" }, ["No cause matches the filters that are set at Goals and Sessions."]));
    return [runs, all_];
  }
  // What stands beside the words that are typed follows them; the rest of the page a moment later.
  function apply(place) {
    var shown = list && place !== "goals" ? applySessions() : 0, pairs = place === "sessions" ? null : applyGoals();
    tell(place, shown, pairs);
    all("details.tx[open]").forEach(function (one) { one.dispatchEvent(new Event("filtered")); });
    if (late) markSoon();
  }
  function kept(shown, whole, unit) { return "Showing " + number(shown) + " of " + number(whole) + " " + (whole === 1 ? unit.replace(/s$/, "") : unit) + (shown || !whole ? "" : ": none matches"); }
  // Words of a transcript that is not here are not known to be absent.
  function unsearched() {
    var away = list ? Number(list.getAttribute("data-away")) : 0;
    return state.q && away ? "; " + number(away) + (away === 1 ? " transcript that is" : " transcripts that are") + " not on this page " + (away === 1 ? "was" : "were") + " not searched" : "";
  }
  var caption = list ? list.querySelector("caption") : null, plainCaption = caption ? caption.textContent : "";
  function setField(field, value) {
    field.value = value;
    if (field.tagName === "SELECT" && field.value !== value) { field.append(option([value, value.slice(UNKNOWN.length) + " (not in this report)"])); field.value = value; }
  }
  function tell(place, shown, pairs) {
    var filtered = any();
    markWordsSoon();
    if (caption && place !== "goals") {
      caption.textContent = order() ? "Sessions" + orderWords() : plainCaption;
      // Heads over nothing would look like a list that has not come yet.
      all("#list, #transcripts, #transcripts + .stand").forEach(function (one) { one.hidden = shown === 0; });
    }
    bars.forEach(function (bar) {
      var key;
      if (typeof place === "string" && bar.place !== place) return;
      for (key in bar.fields) if (bar.fields[key].value !== (state[key] || "")) setField(bar.fields[key], state[key] || "");
      bar.out.textContent = bar.place === "goals" ? kept(pairs[0], pairs[1], bar.unit) : kept(shown, total, "sessions") + orderWords() + unsearched();
      if (bar.box && filtered && bar.clear.hidden) bar.box.open = true;
      bar.clear.hidden = !filtered;
      // On paper there are no fields, and what is left out of a list must still be said.
      sayOnPaper(bar, "");
    });
  }
  // Where sessions have pages of their own, the list as it is filtered and ordered goes with the
  // link to each: what was asked for, where the session stands in it, and of which list. The
  // pages in order are left for the next one in this window; without them it asks this page.
  var edition = list ? list.getAttribute("data-list") : null;
  function carried(href, at) {
    var query = fragment("");
    return href.split("?")[0] + (query ? query + "&n=" + (at + 1) + "&of=" + found.length + "&list=" + edition : "");
  }
  function carry(link, at) { if (edition && link) link.setAttribute("href", carried(link.getAttribute("href"), at)); }
  function hrefOf(row) { return row.element ? row.element.querySelector("th a").getAttribute("href") : (/ href="([^"]*)"/.exec(row.html) || ["", ""])[1]; }
  function leaveList() {
    var pages = matchRows().map(function (row) { return hrefOf(row).split("?")[0].split("/").pop(); });
    try { sessionStorage.setItem("swarm-list", JSON.stringify({ edition: edition, asked: fragment("").slice(1), pages: pages })); } catch (error) { return; }
  }
  // A session's page asks for the one beside it in the list.
  function step(to_) {
    var from_ = /&from=([^&]*)&by=(-?1)$/.exec("&" + to_.query), at, row;
    if (!from_ || !edition) return false;
    readRows();
    at = matchRows().indexOf(rows[rowAt[decodeURIComponent(from_[1])]]);
    row = at < 0 ? null : found[at + Number(from_[2])];
    if (row) { leaveList(); location.replace(carried(hrefOf(row), at + Number(from_[2]))); return true; }
    history.replaceState(null, "", "#" + fragment("sessions") + "&at=" + from_[1]);
    return false;
  }

  function sayOnPaper(bar, unprinted) {
    var by = filterWords(bar.place);
    bar.form.classList.toggle("on", by + unprinted !== "");
    bar.paper.textContent = (by && ". Filtered by " + by) + unprinted + ".";
  }
  // A long page is not built whole to be printed; without scripts it is there whole.
  function unprinted(place) {
    var left = place === "goals" ? goalsLeft : (rows ? matchRows().length : total) - all("#list tr[data-k]").length;
    return left > 0 ? "; " + number(left) + " more " + (place === "goals" ? "goals" : "sessions") + " are not printed until they are shown" : "";
  }
  function filterWords(place) {
    return FIELDS[place].filter(function (key) { return key !== "order" && state[key]; }).map(function (key) {
      var picked = key === "q" || isTyped(key) ? null : options(key).filter(function (one) { return one[0] === state[key]; })[0];
      return (LABELS[key] || "Words").toLowerCase() + " “" + (picked ? picked[1] : state[key]) + "”";
    }).join(", ");
  }
  // Words that are searched for are marked where they can be seen, by no element more. A call
  // of an opened transcript that holds them out of sight opens with it; whoever closes it has it so.
  var MARKS = 1000, marksDue = 0;
  function holdsOutOfSight(one, q) {
    var inside = one.querySelector("pre");
    return inside && inside.textContent.toLowerCase().indexOf(q) >= 0 && one.firstElementChild.textContent.toLowerCase().indexOf(q) < 0;
  }
  function openHolding(inside) {
    var q = (state.q || "").toLowerCase();
    if (q) all("details.fold", inside).forEach(function (one) { if (!one.open && holdsOutOfSight(one, q)) one.open = true; });
  }
  function markWords() {
    var ranges = [], q = (state.q || "").toLowerCase();
    if (!window.Highlight) return;
    CSS.highlights.delete("found");
    if (!q) return;
    all("#list tr[data-k]:not([hidden]), #opened details.tx[open]:not([hidden]), #goals details[open]:not([hidden]), #goals .goalh:not([hidden]), #causes .cause:not([hidden])").some(function (part) {
      var walk = d.createTreeWalker(part, NodeFilter.SHOW_TEXT), node, at, text, range;
      while ((node = walk.nextNode())) {
        text = node.parentElement.tagName === "NOSCRIPT" ? "" : node.data.toLowerCase();
        for (at = text.indexOf(q); at >= 0 && text.length === node.data.length; at = text.indexOf(q, at + q.length)) {
          range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + q.length);
          if (ranges.push(range) >= MARKS) return true;
        }
      }
      return false;
    });
    CSS.highlights.set("found", new Highlight(...ranges));
  }
  function markWordsSoon() { clearTimeout(marksDue); marksDue = setTimeout(markWords, 200); }
  d.addEventListener("toggle", function (event) {
    if (!state.q) return;
    if (event.target.open && event.target.matches("details.tx")) openHolding(event.target);
    markWordsSoon();
  }, true);
  // In the fragment stand names, so that a link still says the same after the next run.
  function fragment(place) {
    var parts = KEYS.filter(function (key) { return state[key]; }).map(function (key) { return key + "=" + encodeURIComponent(name(key)); });
    return place + (parts.length ? "?" + parts.join("&") : "");
  }
  function name(key) {
    if (key === "q" || isTyped(key)) return state[key];
    var picked = options(key).filter(function (one) { return one[0] === state[key]; })[0];
    return picked ? (/^\d+$| /.test(picked[0]) ? picked[1] : picked[0]) : state[key].slice(UNKNOWN.length);
  }
  function keep(place, step) {
    var to_ = "#" + fragment(place);
    if (to_ === location.hash) return;
    // Some browsers refuse the hundredth letter in half a minute; the view is set all the same.
    try { if (step) history.pushState(null, "", to_); else history.replaceState(null, "", to_); } catch (error) { return; }
  }
  function readFragment() {
    var to_ = swarm.address(), before = state, said = fragment("");
    if (!choices || !(to_.isList || location.hash === "" || to_.query && /^(session|row)\./.test(to_.id))) return;
    state = {};
    to_.query.split("&").forEach(function (pair) {
      var at = pair.indexOf("="), key = pair.slice(0, at), value;
      try { value = decodeURIComponent(pair.slice(at + 1)); } catch (error) { return; }
      if (key === "disposition") key = "disp";
      if (at < 0 || KEYS.indexOf(key) < 0) return;
      if (key === "q" || isTyped(key)) { state[key] = value; return; }
      // A name before a place in order: a goal may be called "1".
      var match = [1, 0].map(function (part) { return options(key).filter(function (one) { return one[part] === value; })[0]; }).filter(Boolean)[0];
      if (match) state[key] = match[0];
      // What this report has not is no reason to show all that it has.
      else if (value && key !== "order") state[key] = UNKNOWN + value;
    });
    if (/^#step\?/.test(location.hash) && step(to_)) return;
    if (fragment("") === said) state = before; else apply();
  }

  // A place inside a session that has a page of its own stands there: a link to it leads on.
  function lead(row, id) {
    var page = hrefOf(row), place = matchRows().indexOf(row);
    if (!page || page.charAt(0) === "#") return false;
    page = page.split("#")[0] + "#" + id;
    location.replace(place < 0 ? page : carried(page, place));
    return true;
  }
  // From one session of the list, as it is filtered, to the one before and the one after.
  swarm.hooks.acts = function (element, bar) {
    var back = make("button", { type: "button", "class": "cl" }, ["Previous"]), on = make("button", { type: "button", "class": "cl" }, ["Next"]), worse = make("button", { type: "button", "class": "cl" }, ["Next not met"]), said = make("span", { "class": "small", role: "status" });
    function listed() { return matchRows().map(function (row) { return byRow[row.id]; }).filter(Boolean); }
    function place(ones) { return ones.map(function (one) { return one.id; }).indexOf(element.id); }
    function missed(one) { return NOT_MET[rows[rowAt[one.row]].keys.d]; }
    function following(ones, at) { return ones.slice(at + 1).filter(missed)[0]; }
    function tell() { var ones = listed(), at = place(ones); said.textContent = at < 0 ? "not in the list as it is filtered" : number(at + 1) + " of " + number(ones.length) + (ones.length < found.length ? " listed that have a transcript here" : " listed"); back.disabled = at <= 0; on.disabled = at < 0 || at === ones.length - 1; worse.disabled = at < 0 || !following(ones, at); }
    function go(step) {
      var ones = listed(), at = place(ones), to_ = step ? ones[at + step] : following(ones, at), next;
      if (!to_) { tell(); return; }
      next = build(to_);
      element.open = false;
      next.open = true;
      location.hash = to_.id;
      next.querySelector("summary").focus({ preventScroll: true });
    }
    if (!choices || !list) return;
    readTranscripts();
    if (transcripts.length < 2) return;
    back.addEventListener("click", function () { go(-1); });
    on.addEventListener("click", function () { go(1); });
    worse.addEventListener("click", function () { go(0); });
    element.addEventListener("toggle", tell);
    element.addEventListener("filtered", tell);
    bar.append(back, on, worse, said);
    tell();
  };
  // The account of one session for an issue, wherever it is called: from its transcript where the
  // page carries that, else from its row and from what the row of its goal says of it.
  var heads = null;
  function raw(html) { var holder = d.createElement("template"); holder.innerHTML = ours.createHTML(html); return holder.content; }
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
  // What is asked of the list goes with the address of each session and of its turns and calls.
  swarm.hooks.query = function (id) { return choices && /^session\./.test(id) ? fragment("").slice(1) : ""; };
  // Where an id leads that the page has not built yet.
  swarm.hooks.find = function (id) {
    var session = /^session\.[^.]+/.exec(id), one, at, needle = ' id="' + id + '"', goal, hit = null;
    if (session && readTranscripts().length && byId[session[0]]) { build(byId[session[0]]).hidden = false; one = d.getElementById(id); return one || byId[session[0]].element; }
    if (list && /^(session|row)\./.test(id)) {
      readRows();
      at = rowAt[session ? session[0] : id];
      if (at !== undefined && session && session[0] !== id && lead(rows[at], id)) return null;
      if (at !== undefined && isLateList) {
        if (matchRows().indexOf(rows[at]) < 0) { state = state.order ? { order: state.order } : {}; apply(); matchRows(); }
        at = found.indexOf(rows[at]);
        from = at < to && at >= from ? from : Math.max(0, at - 5);
        to = Math.max(to, at + STEP);
        if (to - from > 3 * STEP) to = from + STEP;
        drawRows();
        return d.getElementById(session ? session[0] : id);
      }
    }
    for (at = 0; at < readGoals().length; at += 1) {
      goal = goals[at];
      if (goal.html !== undefined && !goal.element && goal.html.indexOf(needle) >= 0) { buildGoal(goal); return d.getElementById(id); }
    }
    all("noscript").some(function (wait) { if (wait.textContent.indexOf(needle) < 0) return false; unpack(wait); hit = d.getElementById(id); return true; });
    return hit;
  };
  swarm.hooks.opened = function (one) {
    var waitingInside = holdsNoscript(one);
    waitingInside.forEach(unpack);
    if (waitingInside.length) { narrow(one); markSoon(); }
  };
  if (late) swarm.hooks.print = function () { bars.forEach(function (bar) { sayOnPaper(bar, unprinted(bar.place)); }); };

  if (choices) {
    all("[data-all]").forEach(function (place) {
      place.append(" ", make("a", { href: "#sessions?signal=" + place.getAttribute("data-all") }, ["show all in the list"]));
    });
    // A number of the text that counts sessions leads to them.
    all("[data-show]").forEach(function (place) { place.replaceChildren(make("a", { href: "#sessions?" + place.getAttribute("data-show") }, [place.textContent])); });
    all(".filterslot").forEach(function (place) {
      var bar = buildBar(place.getAttribute("data-filter"));
      bar.unit = place.getAttribute("data-unit");
      bars.push(bar);
      place.append(bar.form);
    });
    apply();
    readFragment();
    addEventListener("hashchange", readFragment);
    list.addEventListener("click", function (event) {
      var button = event.target.closest(".cp");
      if (button) swarm.copy(accountOf(button.closest("tr").id), button, true);
      else if (edition && event.target.closest("th a") && fragment("")) leaveList();
    });
    if (!isLateList) { readRows().forEach(words); offerCopies(list); }
  }
  if (late) {
    d.body.append(waiting);
    markWaiting();
    soon(function () { readRows(); readTranscripts(); if (isLateList) offerCopies(list); prepare(0); });
  }
  // Words to search through are made ready while nobody waits for them.
  function prepare(at) {
    var things = rows.concat(transcripts, goals || []), end = performance.now() + 12;
    while (at < things.length && performance.now() < end) { words(things[at]); at += 1; }
    if (at < things.length) soon(function () { prepare(at); });
  }
})();
