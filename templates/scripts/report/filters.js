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
