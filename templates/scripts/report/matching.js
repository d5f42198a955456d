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
