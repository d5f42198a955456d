// What filters and a long list leave out of paper is said on it.
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
