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
