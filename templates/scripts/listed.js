(function () {
  "use strict";
  // A session that was reached through a list that is filtered or in another order stands in that
  // list. The address says what was asked of it; of nothing else on this page is that believed.
  var page = document.querySelector("main.one[data-list]"), query = page ? swarm.address().query : "", make = swarm.make, all = swarm.all, number = swarm.number;
  var steps = all("nav.steps"), back = document.querySelector("footer.end a");
  if (!query || !back) return;
  var read = /^(.+?)(?:&n=(\d+)&of=(\d+)&list=(\w+))?$/.exec(query), asked = read[1], edition = page.getAttribute("data-list");
  var index = back.getAttribute("href").split("#")[0];
  var isSame = read[4] === edition && Number(read[2]) >= 1 && Number(read[2]) <= Number(read[3]), at = Number(read[2]), of = Number(read[3]), kept = null;
  try { kept = JSON.parse(sessionStorage.getItem("swarm-list")); } catch (error) { kept = null; }
  kept = kept && kept.edition === edition && kept.asked === asked && Array.isArray(kept.pages) ? kept.pages : [];
  kept.some(function (one, place) {
    if (one.split("#")[1] !== page.id) return false;
    isSame = true; at = place + 1; of = kept.length;
    return true;
  });
  function beside(by, rel, word) {
    var next = kept[at - 1 + by];
    if (isSame && (by < 0 ? at === 1 : at === of)) return make("li", {}, [make("span", { "class": "small" }, ["None " + (by < 0 ? "before" : "after") + " it"])]);
    return make("li", {}, [make("a", { rel: rel, href: isSame && /^[\w~.-]+\.html#[\w~.-]+$/.test(next) ? next + "?" + swarm.inList(asked, at + by, of, edition) : index + "#step?" + asked + "&from=" + page.id + "&by=" + by }, [word])]);
  }
  var list = index + "#sessions?" + asked + "&at=" + page.id;
  var bar = make("nav", { "class": "steps", "aria-label": "Your list" }, [
    make("p", {}, [isSame ? number(at) + " of " + number(of) + " in your list. " : "In your list. ", make("a", { href: list }, ["Back to it"])]),
    make("ul", {}, [beside(-1, "prev", "Previous in your list"), beside(1, "next", "Next in your list")])
  ]);
  (steps[0] || page.firstElementChild).before(bar);
  steps.forEach(function (one) { one.hidden = true; });
  all(".mast .home a, footer.end a").forEach(function (link) { link.setAttribute("href", list); });
  swarm.hooks.query = function () { return query; };
})();
