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
  function copier(words, label, long) {
    var button = make("button", { type: "button", "class": "cl" }, [label || "Copy link"]), said = make("span", { "class": "vh", role: "status" });
    function tell(word) { button.textContent = word; said.textContent = word; setTimeout(function () { button.textContent = label || "Copy link"; said.textContent = ""; }, 2000); }
    function show(link) {
      var field = make(long ? "textarea" : "input", { readonly: "", "class": "cf", "aria-label": long ? "Text to copy" : "Link to copy" }), done = false;
      field.value = link;
      button.after(field);
      field.select();
      try { done = d.execCommand("copy"); } catch (error) { done = false; }
      if (!done) { field.addEventListener("blur", function () { field.remove(); }); return; }
      field.remove();
      button.focus();
      tell("Copied");
    }
    button.addEventListener("click", function () {
      var link = words();
      if (!navigator.clipboard) { show(link); return; }
      navigator.clipboard.writeText(link).then(function () { tell("Copied"); }, function () { show(link); });
    });
    return make("span", { "class": "cls" }, [button, said]);
  }
  function linkTo(id) { return location.href.split("#")[0] + "#" + id; }
  function flat(node) { return node ? node.textContent.replace(/\s+/g, " ").trim() : ""; }
  // A whole session as text for an issue: what it came to, then every turn and call as it stands here.
  function asText(element) {
    var lines = [flat(element.querySelector("summary, h1")), linkTo(element.id), "", flat(element.querySelector(".ff")), flat(element.querySelector(".side > p"))];
    all(".side dt", element).forEach(function (head) { lines.push(flat(head) + ": " + flat(head.nextElementSibling)); });
    all(".conv .play > li:not(.run)", element).forEach(function (turn) {
      var who = turn.querySelector(":scope > .spk"), source = turn.querySelector(":scope > .raw pre"), said = turn.querySelector(":scope > .say"), fold = turn.querySelector(":scope > .fold");
      lines.push("", (flat(turn.querySelector(":scope > .no")) + " " + flat(who || (fold && fold.firstElementChild) || turn.querySelector(":scope > .fin"))).trim());
      if (who && !said) all(":scope > .fin", turn).forEach(function (note) { lines.push(flat(note)); });
      if (source || said) lines.push((source || said).textContent.trim());
      if (fold) lines.push(fold.querySelector("pre").textContent.trim().replace(/^/gm, "    "));
    });
    return lines.filter(function (line, at) { return line || lines[at - 1]; }).join("\n") + "\n";
  }
  // Each thing with a place of its own gets its button once it is open and can be seen.
  function addCopier(element) {
    if (element.getAttribute("data-copy") !== null || !element.id) return;
    element.setAttribute("data-copy", "");
    // The one run of a goal is that goal.
    if (element.matches("article.j:only-of-type")) return;
    var link = copier(function () { return linkTo(element.id); }), button = link, body = element.querySelector(":scope > .txb"), place = element.querySelector(":scope > .jh, :scope > div > h3, :scope > .gb, :scope > .jb");
    if (body) {
      var acts = make("div", { "class": "acts" }, [button, copier(function () { return asText(element); }, "Copy as text", true)]);
      body.querySelector(".side").before(acts);
      hooks.acts(element, acts);
      return;
    }
    if (hooks.markdown) button = make("span", { "class": "cls" }, [link, " ", copier(function () { return hooks.markdown(element); }, "Copy as Markdown", true)]);
    if (!place) { var first = element.querySelector("summary, h1"); if (first) first.after(button); return; }
    if (place.tagName === "H3") place.after(button); else if (place.classList.contains("jh")) place.append(button); else if (place.matches(".jb") && place.querySelector(":scope > .ev")) place.querySelector(":scope > .ev").before(button); else place.prepend(button);
  }
  function addCopiers(inside) { all("details.tx[open],details.g[open],details.j[open],article.j,article.cause,main.one", inside).forEach(addCopier); }

  // Other scripts put here what finds and opens a place that is not built yet.
  var hooks = { find: function () { return null; }, opened: function () {}, acts: function () {}, markdown: null, print: function () { all("details").forEach(function (one) { one.open = true; }); } };
  // A link into a closed part opens it.
  var first = true;
  function reveal() {
    var id, target, up, built = first;
    first = false;
    try { id = decodeURIComponent(location.hash.slice(1).split("?")[0]); } catch (error) { return; }
    if (!id) return;
    target = d.getElementById(id);
    if (!target || target.hasAttribute("data-wait")) {
      target = hooks.find(id);
      built = true;
      // Only a navigation makes an element the target that styles mark.
      if (target && location.hash.indexOf("?") < 0) { location.replace(location.hash); target = d.getElementById(id); }
    }
    if (!target) return;
    for (up = target; up; up = up.parentElement) { if (up.tagName === "DETAILS") up.open = true; if (up.hidden) up.hidden = false; }
    // What is added to an opened part stands there before the page jumps to it.
    up = target.closest("details.tx,details.g,details.j");
    if (up) addCopier(up);
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
    addCopiers(one);
  }, true);
  addEventListener("hashchange", arrive);
  addEventListener("DOMContentLoaded", function () { addCopiers(); reveal(); });
  addEventListener("load", function () {
    var way = performance.getEntriesByType("navigation")[0], was = left();
    if (was && way && way.type === "back_forward" && backTo(was)) setTimeout(function () { backTo(was); }, 50);
  });
  addEventListener("beforeprint", function () { hooks.print(); });
  return { all: all, make: make, copier: copier, linkTo: linkTo, hooks: hooks, reveal: reveal, addCopiers: addCopiers };
})();
