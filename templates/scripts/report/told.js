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
// A fact of a persona, a target or the wave is of no pair; that no pair matches is not all of it.
function beyondPairs() {
  var facts = state.basis || state.scope || state.q ? all("#recorded [data-b]").filter(function (one) { return !one.hidden; }).length : 0;
  return facts ? "; " + number(facts) + (facts === 1 ? " fact" : " facts") + " wider than one goal under Recorded facts" : "";
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
    bar.out.textContent = bar.place === "goals" ? kept(pairs[0], pairs[1], bar.unit) + beyondPairs() : kept(shown, total, "sessions") + orderWords() + unsearched();
    if (bar.box && filtered && bar.clear.hidden) bar.box.open = true;
    bar.clear.hidden = !filtered;
    // On paper there are no fields, and what is left out of a list must still be said.
    sayOnPaper(bar, "");
  });
}
