// From one session of the list, as it is filtered, to the one before and the one after.
swarm.hooks.acts = function (element, bar) {
  var back = make("button", { type: "button", "class": "cl" }, ["Previous"]), on = make("button", { type: "button", "class": "cl" }, ["Next"]), worse = make("button", { type: "button", "class": "cl" }, ["Next not met"]), said = make("span", { "class": "small", role: "status" });
  function listed() { return matchRows().map(function (row) { return byRow[row.id]; }).filter(Boolean); }
  function place(ones) { return ones.map(function (one) { return one.id; }).indexOf(element.id); }
  function missed(one) { return NOT_MET[rows[rowAt[one.row]].keys.d]; }
  function following(ones, at) { return ones.slice(at + 1).filter(missed)[0]; }
  function tell() { var ones = listed(), at = place(ones); said.textContent = at < 0 ? "not in the list as it is filtered" : number(at + 1) + " of " + number(ones.length) + (ones.length < found.length ? " transcripts here; " + number(found.length) + " sessions are listed" : " listed"); back.disabled = at <= 0; on.disabled = at < 0 || at === ones.length - 1; worse.disabled = at < 0 || !following(ones, at); }
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
