// Where sessions have pages of their own, the list as it is filtered and ordered goes with the
// link to each: what was asked for, where the session stands in it, and of which list. The
// pages in order are left for the next one in this window; without them it asks this page.
var edition = list ? list.getAttribute("data-list") : null;
function carried(href, at) {
  var query = fragment("");
  return href.split("?")[0] + (query ? swarm.inList(query, at + 1, found.length, edition) : "");
}
function carry(link, at) { if (edition && link) link.setAttribute("href", carried(link.getAttribute("href"), at)); }
function hrefOf(row) { return row.element ? row.element.querySelector("th a").getAttribute("href") : (/ href="([^"]*)"/.exec(row.html) || ["", ""])[1]; }
function leaveList() {
  var pages = matchRows().map(function (row) { return hrefOf(row).split("?")[0].split("/").pop(); });
  try { sessionStorage.setItem("swarm-list", JSON.stringify({ edition: edition, asked: fragment("").slice(1), pages: pages })); } catch (error) { return; }
}
// A session's page asks for the one beside it in the list.
function step(to_) {
  var from_ = /&from=([^&]*)&by=(-?1)$/.exec("&" + to_.query), at, row;
  if (!from_ || !edition) return false;
  readRows();
  at = matchRows().indexOf(rows[rowAt[decodeURIComponent(from_[1])]]);
  row = at < 0 ? null : found[at + Number(from_[2])];
  if (row) { leaveList(); location.replace(carried(hrefOf(row), at + Number(from_[2]))); return true; }
  history.replaceState(null, "", "#" + fragment("sessions") + "&at=" + from_[1]);
  return false;
}
