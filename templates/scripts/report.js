(function () {
  "use strict";
  var d = document, root = d.documentElement;
  function all(selector, inside) { return Array.prototype.slice.call((inside || d).querySelectorAll(selector)); }
  function make(tag, attributes, children) {
    var element = d.createElement(tag), name;
    for (name in attributes || {}) element.setAttribute(name, attributes[name]);
    (children || []).forEach(function (child) { element.append(child); });
    return element;
  }

  // Filters: one state for the session list, the transcripts and the goals; it lives in the fragment.
  var data = d.getElementById("choices"), choices = data ? JSON.parse(data.textContent) : null;
  var state = {}, bars = [], KEYS = ["persona", "goal", "target", "disposition", "signal", "q"];
  var LABELS = { persona: "Persona", goal: "Goal", target: "Target", disposition: "Outcome", signal: "Recorded fact", q: "Words" };
  var rows = [], groups = [];

  function options(key) {
    return choices[key].map(function (one, index) { return Array.isArray(one) ? one : [String(index), one]; });
  }
  function buildBar(place) {
    var form = make("form", { "class": "filt", "aria-label": "Filter " + place }), fields = {};
    KEYS.forEach(function (key) {
      var field;
      if (key === "q") field = make("input", { type: "search" });
      else {
        var found = options(key);
        if (found.length < 2) return;
        field = make("select", {}, [make("option", { value: "" }, ["All"])].concat(found.map(function (one) { return make("option", { value: one[0] }, [one[1]]); })));
      }
      if (place === "goals" && (key === "disposition" || key === "signal" || key === "target" || key === "q")) return;
      field.addEventListener("input", function () { state[key] = field.value; apply(place); });
      fields[key] = field;
      form.append(make("label", {}, [LABELS[key], field]));
    });
    var toggle = make("button", { type: "button" }, ["Open all"]), out = make("output", { "aria-live": "polite" });
    toggle.addEventListener("click", function () {
      var open = toggle.textContent === "Open all";
      // Opening hundreds of transcripts at once would only stall the page; their groups open.
      var transcripts = all("details.tx").filter(function (one) { return !one.hidden; }).length;
      all("#" + place + " details").forEach(function (one) {
        var list = one.classList;
        if (list.contains("raw") || list.contains("fold")) return;
        if (open && list.contains("tx") && transcripts > 60) return;
        one.open = open;
      });
      toggle.textContent = open ? "Close all" : "Open all";
    });
    form.append(toggle, out);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    return { form: form, fields: fields, out: out, place: place };
  }
  function holds(row) {
    var k = row.keys, s = state;
    return (!s.persona || k.p === s.persona) && (!s.goal || k.g === s.goal) && (!s.target || k.t === s.target) &&
      (!s.disposition || k.d === s.disposition) && (!s.signal || k.s.indexOf(" " + s.signal + " ") >= 0) &&
      (!s.q || text(row).indexOf(s.q.toLowerCase()) >= 0);
  }
  // Transcripts stand behind this script, so they are looked up when they are there.
  function hideTranscripts() {
    var hidden = {};
    rows.forEach(function (row) { if (row.element.hidden) hidden[row.element.id] = true; });
    all("details.tx").forEach(function (one) {
      var hide = hidden[one.getAttribute("data-x")] === true;
      if (one.hidden !== hide) one.hidden = hide;
    });
  }
  function text(row) { if (row.text === undefined) row.text = row.element.textContent.toLowerCase(); return row.text; }
  function any() { return KEYS.some(function (key) { return state[key]; }); }
  function apply(place) {
    var shown = 0, filtered = any();
    rows.forEach(function (row) {
      var keep = holds(row);
      if (keep) shown += 1;
      if (row.element.hidden === keep) row.element.hidden = !keep;
    });
    hideTranscripts();
    groups.forEach(function (group) {
      var some = group.rows.some(function (row) { return !row.hidden; });
      group.box.hidden = !some;
      if (group.box.tagName === "DETAILS" && filtered && shown <= 60) group.box.open = some;
    });
    var runs = 0, goals = all("#goals [data-f]");
    goals.forEach(function (run) {
      var keys = run.getAttribute("data-f").split(" ");
      run.hidden = Boolean((state.persona && keys[0] !== state.persona) || (state.goal && keys[1] !== state.goal));
      if (!run.hidden) runs += 1;
    });
    all("#goals details.g").forEach(function (goal) { goal.hidden = !all("[data-f]", goal).some(function (run) { return !run.hidden; }); });
    all("#goals .goalh").forEach(function (head) {
      var next = head.nextElementSibling, some = false;
      while (next && !next.classList.contains("goalh")) { some = some || !next.hidden; next = next.nextElementSibling; }
      head.hidden = !some;
    });
    bars.forEach(function (bar) {
      for (var key in bar.fields) if (bar.fields[key].value !== (state[key] || "")) bar.fields[key].value = state[key] || "";
      bar.out.textContent = bar.place === "goals" ? "Showing " + runs + " of " + goals.length + " persona and goal pairs" : "Showing " + shown + " of " + rows.length + " sessions";
    });
    if (place) {
      var parts = KEYS.filter(function (key) { return state[key]; }).map(function (key) { return key + "=" + encodeURIComponent(label(key)); });
      history.replaceState(null, "", "#" + place + (parts.length ? "?" + parts.join("&") : ""));
    }
  }
  // In the fragment stand names, so that a link still says the same after the next run.
  function label(key) {
    if (key === "q") return state.q;
    var found = options(key).filter(function (one) { return one[0] === state[key]; })[0];
    return found ? (Array.isArray(choices[key][0]) ? found[0] : found[1]) : "";
  }
  function readFragment() {
    var found = /^#(\w+)\?(.*)$/.exec(location.hash);
    if (!found || !choices) return false;
    state = {};
    found[2].split("&").forEach(function (pair) {
      var at = pair.indexOf("="), key = pair.slice(0, at), value = decodeURIComponent(pair.slice(at + 1));
      if (KEYS.indexOf(key) < 0) return;
      if (key === "q") { state.q = value; return; }
      var match = options(key).filter(function (one) { return one[0] === value || one[1] === value; })[0];
      if (match) state[key] = match[0];
    });
    apply();
    return true;
  }
  if (choices) {
    all("#list tr[data-p]").forEach(function (element) {
      rows.push({
        element: element,
        keys: { p: element.getAttribute("data-p"), g: element.getAttribute("data-g"), t: element.getAttribute("data-t"), d: element.getAttribute("data-d"), s: " " + element.getAttribute("data-s") + " " }
      });
    });
    all("#list .sg").forEach(function (box) { groups.push({ box: box, rows: all("tr[data-p]", box) }); });
    all("[data-all]").forEach(function (more) {
      more.append(" ", make("a", { href: "#sessions?signal=" + more.getAttribute("data-all") }, ["show all in the list"]));
    });
    all(".filterslot").forEach(function (place) {
      var bar = buildBar(place.getAttribute("data-filter"));
      bars.push(bar);
      place.append(bar.form);
    });
    if (!readFragment()) apply();
  }

  // A link into a closed part opens it.
  function reveal() {
    var id = decodeURIComponent(location.hash.slice(1).split("?")[0]), target = id && d.getElementById(id), up = target;
    if (!target) return;
    for (; up; up = up.parentElement) { if (up.tagName === "DETAILS") up.open = true; if (up.hidden) up.hidden = false; }
    target.scrollIntoView();
  }
  addEventListener("hashchange", function () { readFragment(); reveal(); });
  addEventListener("DOMContentLoaded", function () {
    if (!location.hash) return;
    if (any()) hideTranscripts();
    reveal();
  });
  addEventListener("beforeprint", function () { all("details").forEach(function (one) { one.open = true; }); });
})();
