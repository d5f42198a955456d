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
