(function () {
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
  function setTheme(value) {
    if (value === "system") root.removeAttribute("data-theme"); else root.setAttribute("data-theme", value);
    try { localStorage.setItem("swarm-theme", value); } catch (error) { kept = value; }
  }
  var themes = make("fieldset", { "class": "theme" }, [make("legend", { "class": "vh" }, ["Theme"])]);
  ["System", "Light", "Dark"].forEach(function (name) {
    var value = name.toLowerCase(), input = make("input", { type: "radio", name: "theme", value: value });
    input.checked = (kept || "system") === value;
    input.addEventListener("change", function () { setTheme(value); });
    themes.append(make("label", {}, [input, name]));
  });
  var slot = d.getElementById("themeslot");
  if (slot) slot.append(themes);
})();
