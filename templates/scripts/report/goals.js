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
