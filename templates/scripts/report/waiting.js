var d = document, all = swarm.all, make = swarm.make, number = swarm.number, soon = window.requestIdleCallback || function (work) { return setTimeout(work, 50); };
var list = d.getElementById("list"), late = d.querySelector("noscript") !== null, isLateList = Boolean(list && list.hasAttribute("data-late"));
var data = d.getElementById("choices"), choices = data ? JSON.parse(data.textContent) : null;
var blocked = d.getElementById("blocked");
if (blocked) blocked.remove();
// On a small screen an open goal is several screens long: the list of them comes first.
var isNarrow = matchMedia("(max-width: 880px)").matches;
if (isNarrow) {
  all("#goals details.j[open], #goals details.g[open]").slice(1).forEach(function (one) { one.open = false; });
  all("#goals-open").forEach(function (one) { one.remove(); });
}
all(".wait").forEach(function (one) { one.hidden = false; });

// What a long page holds back stands in noscript elements: one text each, until it is wanted.
var waiting = make("div", { hidden: "", id: "waiting" }), waits = {};
function adopt(fragment) {
  all("[id]", fragment).forEach(function (one) { if (waits[one.id]) { waits[one.id].remove(); delete waits[one.id]; } });
  return fragment;
}
// Markup is made in one place, of what the page itself holds; the policy allows no other.
var ours = { createHTML: function (html) { return html; } };
if (window.trustedTypes) ours = trustedTypes.createPolicy("swarm-report", ours);
function raw(html) { var holder = d.createElement("template"); holder.innerHTML = ours.createHTML(html); return holder.content; }
function parse(html) { return adopt(raw(html)); }
function unpack(one) { var parent = one.parentElement; one.replaceWith(parse(one.textContent)); swarm.addCopiers(parent); }
function holdsNoscript(one) { return all(":scope > noscript, :scope > .gb > noscript", one); }
// Every link has a place to lead to, also while that place waits. A link that is followed
// before finds its place all the same, so this is left until nobody is busy.
var marking = 0;
function markSoon() { clearTimeout(marking); marking = setTimeout(function () { soon(markWaiting); }, 400); }
function markWaiting() {
  all('a[href^="#"]').forEach(function (link) {
    var id = decodeURIComponent(link.getAttribute("href").slice(1));
    if (!id || id.indexOf("=") >= 0 || d.getElementById(id)) return;
    waits[id] = make("span", { id: id, "data-wait": "" });
    waiting.append(waits[id]);
  });
}
var ENTITIES = { amp: "&", lt: "<", gt: ">", "#34": '"', "#39": "'", quot: '"' };
function plain(html) { return html.replace(/<[^>]*>/g, " ").replace(/&(amp|lt|gt|#34|#39|quot);/g, function (whole, name) { return ENTITIES[name]; }).replace(/\s+/g, " ").toLowerCase(); }
function words(one) {
  if (one.text === undefined) one.text = one.html === undefined ? one.element.textContent.replace(/\s+/g, " ").toLowerCase() : plain(one.html);
  return one.text;
}
function attribute(html, name) { var found = new RegExp(" " + name + '="([^"]*)"').exec(html.slice(0, html.indexOf(">") + 1)); return found ? found[1] : ""; }
