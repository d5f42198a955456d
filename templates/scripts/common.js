var swarm = (function () {
  "use strict";
  var d = document, root = d.documentElement;
  function all(selector, inside) { return Array.prototype.slice.call((inside || d).querySelectorAll(selector)); }
  function make(tag, attributes, children) {
    var element = d.createElement(tag), name;
    for (name in attributes || {}) element.setAttribute(name, attributes[name]);
    (children || []).forEach(function (child) { element.append(child); });
    return element;
  }

  // Theme: the system's by default; a choice is kept on this computer only.
  var kept = null;
  try { kept = localStorage.getItem("swarm-theme"); } catch (error) { kept = null; }
  if (kept !== "light" && kept !== "dark") kept = "system";
  function setTheme(value) {
    if (value === "system") root.removeAttribute("data-theme"); else root.setAttribute("data-theme", value);
    try { localStorage.setItem("swarm-theme", value); } catch (error) { kept = value; }
  }
  var slot = d.getElementById("themeslot");
  if (slot) {
    var themes = make("fieldset", { "class": "theme" }, [make("legend", { "class": "vh" }, ["Theme"])]);
    ["System", "Light", "Dark"].forEach(function (name) {
      var value = name.toLowerCase(), input = make("input", { type: "radio", name: "theme", value: value });
      input.checked = kept === value;
      input.addEventListener("change", function () { setTheme(value); });
      themes.append(make("label", {}, [input, name]));
    });
    slot.append(themes);
  }

  // A copied link or text. Where the clipboard is out of reach, it stands selected instead.
  var said = make("span", { "class": "vh", role: "status" });
  d.body.append(said);
  function copy(text, button, long) {
    var label = button.textContent;
    function tell() {
      button.textContent = said.textContent = "Copied";
      setTimeout(function () { button.textContent = label; said.textContent = ""; }, 2000);
    }
    function show() {
      var field = make(long ? "textarea" : "input", { readonly: "", "class": "cf", "aria-label": long ? "Text to copy" : "Link to copy" }), done = false;
      field.value = text;
      button.after(field);
      field.select();
      try { done = d.execCommand("copy"); } catch (error) { done = false; }
      if (!done) {
        field.addEventListener("blur", function () { field.remove(); });
        field.addEventListener("keydown", function (event) { if (event.key === "Escape") button.focus(); });
        return;
      }
      field.remove();
      button.focus();
      tell();
    }
    if (label === "Copied") return;
    if (!navigator.clipboard) { show(); return; }
    navigator.clipboard.writeText(text).then(tell, show);
  }
  function copier(words, label, long) {
    var button = make("button", { type: "button", "class": "cl cls" }, [label || "Copy link"]);
    button.addEventListener("click", function () { copy(words(), button, long); });
    return button;
  }
  function linkTo(id) { return location.href.split("#")[0] + "#" + id; }
  function flat(node) { return node ? node.textContent.replace(/\s+/g, " ").trim() : ""; }
  // Recorded words that others set as Markdown stay words: nothing in a fence is a link or a name.
  function fenced(text) {
    var fence = "```";
    while (text.indexOf(fence) >= 0) fence += "`";
    return fence + "text\n" + text.replace(/\s+$/, "") + "\n" + fence;
  }
  // Which page it stands in. The folder of a page that is on this computer is nobody's business.
  function origin(id) {
    return /^https?:$/.test(location.protocol) ? linkTo(id) : location.pathname.split("/").slice(d.querySelector("main.one") ? -2 : -1).join("/") + "#" + id;
  }
  function number(n) { return String(n).replace(/\B(?=(\d{3})+$)/g, ","); }
  function cut(text, most) { return text.length > most ? text.slice(0, most) + "\n[" + number(text.length - most) + " more characters on the page]" : text; }
  // A turn or a call as lines, as it stands here; each of its parts within a bound.
  function turnLines(turn, most) {
    var who = turn.querySelector(":scope > .spk"), source = turn.querySelector(":scope > .raw pre"), said = turn.querySelector(":scope > .say"), fold = turn.querySelector(":scope > .fold");
    var lines = ["", (flat(turn.querySelector(":scope > .no")) + " " + flat(who || (fold && fold.firstElementChild) || turn.querySelector(":scope > .fin"))).trim()];
    if (who && !said) all(":scope > .fin", turn).forEach(function (note) { lines.push(flat(note)); });
    if (source || said) lines.push(cut((source || said).textContent.trim(), most));
    if (fold) lines.push(cut(fold.querySelector("pre").textContent.trim(), most).replace(/^/gm, "    "));
    return lines;
  }
  function terms(inside) { return all("dt", inside).map(function (head) { return flat(head) + ": " + flat(head.nextElementSibling); }); }
  function text(lines) { return lines.filter(function (line, at) { return line || lines[at - 1]; }).join("\n") + "\n"; }
  // A whole session as text: what it came to, then every turn and call as it stands here.
  function asText(element) {
    var lines = [flat(element.querySelector("summary, h1")), linkTo(element.id), "", flat(element.querySelector(".ff")), flat(element.querySelector(".side > p"))].concat(terms(element.querySelector(".side")), terms(element.querySelector(".rest")));
    all(".conv .play > li:not(.run)", element).forEach(function (turn) { lines.push.apply(lines, turnLines(turn, Infinity)); });
    return text(lines);
  }
  function titled(name, word, said) { return "### Session `" + flat(name).replace(/`/g, "'") + "`: " + flat(word).toLowerCase() + "\n\n" + fenced(said) + "\n"; }
  // What an issue or an agent needs of one session: what it came to, the calls that it failed at,
  // the cited turns, the last one, and where the rest is. Nothing that does not stand here.
  function account(element) {
    var head = element.querySelector("summary h4, h1"), about = element.querySelector(".side > p"), goal = about.querySelector("a"), seen = [], rest = terms(element.querySelector(".rest"));
    if (!head || !goal) return asText(element);
    var turns = all(".conv .play > li:not(.run)", element), ids = all(".ff a", element).map(function (link) { return link.getAttribute("href").slice(1); });
    var lines = ["Goal: " + flat(goal)], who = about.firstChild === goal ? "" : about.firstChild.textContent.replace(/(, )?“?\s*$/, ""), on = goal.nextSibling.textContent.replace(/^”?,?\s*|\.\s*$/g, "");
    function list(name, ones, most, chars) {
      ones = ones.filter(function (one) { return seen.indexOf(one) < 0; });
      if (!ones.length) return;
      lines.push("", name + (ones.length > most ? " (the first " + most + " of " + ones.length + ")" : ""));
      ones.slice(0, most).forEach(function (one) { seen.push(one); lines.push.apply(lines, turnLines(one, chars).slice(1)); });
    }
    if (who) lines.push("Persona: " + who);
    if (on) lines.push((/^no /.test(on) ? "Target: " : "Ran ") + on);
    lines.push("Outcome: " + flat(element.querySelector(".w")), flat(element.querySelector(".ff")));
    lines = lines.concat(terms(element.querySelector(".side")), rest.filter(function (line) { return /^(Chain|Recorded|Friction|Calls|Ended by|Did not run|Not started|Id|File):/.test(line); }));
    list("The first failed link was seen at", turns.filter(function (turn) { return ids.indexOf(turn.id) >= 0 || all("[id]", turn).some(function (one) { return ids.indexOf(one.id) >= 0; }); }), 3, 1500);
    list("Calls with an error", turns.filter(function (turn) { return turn.matches(".call") && turn.querySelector(".fold > summary .fail, .fin .fail"); }), 2, 1500);
    list("Cited", turns.filter(function (turn) { return turn.matches(".cited"); }), 6, 700);
    list("The end", turns.slice(-2), 2, 700);
    lines.push("", "From the report of: " + flat(d.querySelector(".mast h1, .mast a")), (turns.length ? "The whole transcript: " : "More: ") + origin(element.id));
    return titled(head.firstChild, element.querySelector(".w"), text(lines));
  }
  // Arguments as JSON, to send a call again: a long text in them is broken at its line ends on the
  // page, each line further in than the one it belongs to, which is undone here.
  function argumentsOf(node) {
    var lines = [], inside = false, indent = 0;
    node.data.trim().split("\n").forEach(function (line) {
      if (inside) lines[lines.length - 1] += line.slice(indent + 2);
      else { indent = line.search(/\S|$/); lines.push(line); }
      if ((line.replace(/\\./g, "").match(/"/g) || []).length % 2) inside = !inside;
    });
    return lines.join("\n") + "\n";
  }
  function addArguments(fold) {
    var pre = fold.querySelector(":scope > pre"), head = pre ? all(":scope > b", pre).filter(function (one) { return one.textContent === "Arguments"; })[0] : null, node = head ? head.nextSibling : null;
    if (!node || node.nodeType !== 3 || fold.querySelector(":scope > .cls")) return;
    var isCut = node.nextSibling && node.nextSibling.tagName === "SMALL";
    pre.before(copier(function () { return isCut ? node.data.trim() + "\n" : argumentsOf(node); }, isCut ? "Copy arguments, as far as they stand here" : "Copy arguments", true));
  }
  // Each thing with a place of its own gets its button once it is open and can be seen.
  function addCopier(element) {
    if (element.getAttribute("data-copy") !== null || !element.id) return;
    element.setAttribute("data-copy", "");
    // The one run of a goal is that goal.
    if (element.matches("article.j:only-of-type")) return;
    var link = copier(function () { return linkTo(element.id); }), button = link, body = element.querySelector(":scope > .txb"), place = element.querySelector(":scope > .jh, :scope > div > h3, :scope > .gb, :scope > .jb");
    if (body) {
      var acts = make("div", { "class": "acts" }, [button, copier(function () { return account(element); }, "Copy for an issue", true), copier(function () { return asText(element); }, "Copy as text", true)]);
      body.querySelector(".side").before(acts);
      hooks.acts(element, acts);
      return;
    }
    if (hooks.markdown) button = make("span", { "class": "cls" }, [link, " ", copier(function () { return hooks.markdown(element); }, "Copy as Markdown", true), " ", hooks.failed(element) || ""]);
    if (!place) { var first = element.querySelector("summary, h1"); if (first) first.after(button); return; }
    if (place.tagName === "H3") place.after(button); else if (place.classList.contains("jh")) place.append(button); else if (place.matches(".jb") && place.querySelector(":scope > .ev")) place.querySelector(":scope > .ev").before(button); else place.prepend(button);
  }
  function addCopiers(inside) { all("details.tx[open],details.g[open],details.j[open],article.j,article.cause,main.one", inside).forEach(addCopier); }

  // Other scripts put here what finds and opens a place that is not built yet, and what the
  // address of a place says of the list behind it.
  var hooks = { query: function () { return ""; }, find: function () { return null; }, opened: function () {}, acts: function () {}, markdown: null, failed: function () { return null; }, print: function () { all("details").forEach(function (one) { one.open = true; }); } };
  // The place that an address names, and what it says of the list that it was reached through.
  function address() {
    var at = location.hash.indexOf("?"), query = at < 0 ? "" : location.hash.slice(at + 1), row = /(?:^|&)at=([^&]*)/.exec(query), id;
    try { id = decodeURIComponent(row ? row[1] : location.hash.slice(1, at < 0 ? undefined : at)); } catch (error) { id = ""; }
    return { id: id, query: query, isRow: Boolean(row), isList: /^#(sessions|goals|step)(\?|$)/.test(location.hash) };
  }
  // What an address says of the list that was asked for so: the place in it, and which list.
  function inList(asked, place, of, edition) { return asked + "&n=" + place + "&of=" + of + "&list=" + edition; }
  // Only a navigation makes an element the target that styles mark; the query is no part of it.
  // A page that is still loading looks for its target once more, by the whole address.
  function mark(id, query) {
    var kept = history.state;
    if (query && d.readyState !== "complete") { addEventListener("load", function () { setTimeout(mark, 0, id, query); }); return; }
    location.replace("#" + encodeURIComponent(id));
    if (query) history.replaceState(kept, "", "#" + id + "?" + query);
  }
  // Whoever follows a link to what this report does not hold is told, and not left at the top.
  var lost = null;
  function tellLost(id) {
    lost = make("p", { "class": "lost" }, ["Nothing here has the id “" + id.slice(0, 120) + "”. The link may lead to another run’s report."]);
    d.querySelector("main").prepend(lost);
    said.textContent = lost.textContent;
  }
  // A link into a closed part opens it.
  var first = true, marked = "";
  function reveal() {
    var to = address(), id = to.id, target, up, built = first, query;
    first = false;
    if (lost) lost.remove();
    if (!id) return;
    target = d.getElementById(id);
    if (!target || target.hasAttribute("data-wait")) {
      target = hooks.find(id);
      built = true;
      // Where a turn is not carried it is its session.
      if (target && !to.isList) { id = target.id; mark(id, to.query); target = d.getElementById(id); }
    } else if (to.query && !to.isList && location.hash !== marked) mark(id, to.query);
    if (!target) { if (!to.isList) tellLost(id); return; }
    query = to.isList || to.query ? "" : hooks.query(id);
    if (query) history.replaceState(history.state, "", "#" + id + "?" + query);
    marked = location.hash;
    for (up = target; up; up = up.parentElement) { if (up.tagName === "DETAILS") up.open = true; if (up.hidden) up.hidden = false; }
    // What is added to an opened part stands there before the page jumps to it.
    up = target.closest("details.tx,details.g,details.j");
    if (up) addCopier(up);
    if (to.isRow) { all("th a", target).forEach(function (link) { link.focus({ preventScroll: true }); }); target.scrollIntoView({ behavior: "instant", block: "center" }); return; }
    if (!target.getClientRects().length && target.parentElement) target = target.parentElement;
    // A page that only now grew to what was asked for jumps there; nobody can follow that way.
    target.scrollIntoView(built ? { behavior: "instant" } : undefined);
  }
  // Whoever goes back stands where the link was followed, at the same height, with the link in
  // focus. Its place is kept with the entry of the history that it was followed from.
  function leave(event) {
    var link = event.target.closest ? event.target.closest("main a[href]") : null, href, row;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    href = link.getAttribute("href");
    row = link.closest("tr[id]");
    try { history.replaceState({ href: href, at: named(href).indexOf(link), row: row ? row.id : "", top: link.getBoundingClientRect().top }, ""); } catch (error) { return; }
  }
  function named(href) { return all("main a[href]").filter(function (one) { return one.getAttribute("href") === href; }); }
  function backTo(was) {
    var row = was.row ? d.getElementById(was.row) || hooks.find(was.row) : null;
    var link = row ? all("a[href]", row).filter(function (one) { return one.getAttribute("href") === was.href; })[0] : named(was.href)[was.at];
    if (!link || !link.getClientRects().length) return false;
    link.focus({ preventScroll: true });
    scrollBy({ top: link.getBoundingClientRect().top - was.top, behavior: "instant" });
    return true;
  }
  function left() { return history.state && typeof history.state.href === "string" ? history.state : null; }
  function arrive() {
    var was = left();
    if (!was || !backTo(was)) { reveal(); return; }
    // The browser puts the page where it remembers it, which was before parts opened and closed.
    requestAnimationFrame(function () { backTo(was); });
  }
  d.addEventListener("click", leave, true);
  d.addEventListener("toggle", function (event) {
    var one = event.target;
    if (one.tagName !== "DETAILS" || !one.open) return;
    hooks.opened(one);
    if (one.matches("details.tx,details.g,details.j")) addCopier(one);
    if (one.matches("li.call > .fold")) addArguments(one);
    addCopiers(one);
  }, true);
  addEventListener("hashchange", arrive);
  addEventListener("DOMContentLoaded", function () { addCopiers(); reveal(); });
  addEventListener("load", function () {
    var way = performance.getEntriesByType("navigation")[0], was = left();
    if (was && way && way.type === "back_forward" && backTo(was)) setTimeout(function () { backTo(was); }, 50);
  });
  addEventListener("beforeprint", function () { hooks.print(); });
  return { all: all, make: make, copier: copier, copy: copy, flat: flat, fenced: fenced, titled: titled, number: number, origin: origin, account: account, linkTo: linkTo, address: address, inList: inList, hooks: hooks, reveal: reveal, addCopiers: addCopiers };
})();
