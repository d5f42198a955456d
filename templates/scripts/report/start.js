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
  return hit || (session ? d.getElementById(session[0]) : null);
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
