(function () {
  "use strict";
  var d = document, all = swarm.all, fenced = swarm.fenced, onWeb = /^https?:$/.test(location.protocol);
  function flat(text) { return text.replace(/\s+/g, " "); }
  function line(node) { return node ? flat(node.textContent).trim() : ""; }
  // Recorded words stay words: nothing in them is set, linked or drawn.
  function escaped(text) { return flat(text).replace(/[\\`*_\[\]<>#|~&]/g, "\\$&"); }
  function coded(text) { return text.indexOf("`") < 0 ? "`" + flat(text) + "`" : escaped(text); }
  // Words inside a line. A link that only this computer could follow is left as its words.
  function words(node) {
    var inside;
    if (node.nodeType === 3) return escaped(node.data);
    if (node.nodeType !== 1 || node.hidden || node.matches("svg,button,script,noscript,.cls,.mw>.vh")) return "";
    if (node.tagName === "CODE") return coded(node.textContent);
    if (node.matches(".ids,.ss")) return Array.prototype.map.call(node.children, said).filter(Boolean).join("; ");
    inside = Array.prototype.map.call(node.childNodes, words).join("");
    if (node.tagName === "A" && onWeb) return "[" + inside.trim() + "](" + node.href + ")";
    if (node.matches(".mw")) return "*" + inside.trim() + "* (a model’s words)";
    if (node.matches("b,strong")) return inside.trim() ? "**" + inside.trim() + "**" : "";
    if (node.tagName === "Q") return "“" + inside + "”";
    return inside;
  }
  function said(node) { return words(node).replace(/ +/g, " ").replace(/ ([.,;])/g, "$1").trim(); }
  function quote(node) {
    var first = node.querySelector("p"), cut = first.classList.contains("ca") ? " It goes on where the quotation stops." : "";
    return [fenced(first.textContent), said(node.querySelector("footer")) + cut];
  }
  function chain(node) {
    return [all("li", node).map(function (one) {
      var parts = Array.prototype.map.call(one.children, said).filter(Boolean);
      return "- " + parts[0] + ": " + parts.slice(1).join("; ").replace(/\.;/g, ";");
    }).join("\n")];
  }
  function evidence(node) {
    var head = "";
    return [Array.prototype.filter.call(node.children, function (one) { return !one.hidden; }).map(function (one) {
      if (one.tagName === "DT") { head = line(one); return ""; }
      return "- **" + head + ":** " + said(one);
    }).filter(Boolean).join("\n")];
  }
  // What stands in a part of the page, block by block.
  function blocks(node) {
    if (node.hidden || node.matches("svg,button,noscript,.cls,.chainfig,.ph,.cause>div>h3")) return [];
    if (node.matches("blockquote")) return quote(node);
    if (node.matches("ol.chain")) return chain(node);
    if (node.matches("dl")) return evidence(node);
    if (node.matches("pre")) return [fenced(node.textContent)];
    if (node.matches("h3,h4")) return ["#### " + said(node)];
    if (node.matches("p,.reach")) return [said(node)];
    if (node.matches(".jh")) return ["#### " + Array.prototype.filter.call(node.children, function (one) { return !one.matches(".cls"); }).map(line).join(", ")];
    return Array.prototype.reduce.call(node.children, function (found, one) { return found.concat(blocks(one)); }, []);
  }
  function above(element) {
    for (var one = element; one && !one.matches(".goalh"); ) one = one.previousElementSibling;
    return one;
  }
  function titleOf(element) {
    var head = element.querySelector(":scope > summary, :scope > .jh"), goal = element.matches("details.j") ? above(element) : element.closest("details.g");
    var cause = element.querySelector(":scope > div > h3");
    if (cause) return line(cause) + ": " + said(element.querySelector(".ph"));
    goal = goal && goal !== element ? line(goal.querySelector("h3")) + ": " : "";
    return escaped(goal) + Array.prototype.map.call(head.children, said).filter(Boolean).join(", ").replace(/\*\*/g, "");
  }
  // Which report it is from.
  function origin(element) {
    var head = d.querySelector("h1");
    return escaped(flat(head.firstChild.data).trim() + ". " + line(head.querySelector("span"))) + ". " + swarm.origin(element.id);
  }
  // A cause or a goal as Markdown for an issue or an agent: what stands here, the limits of its
  // numbers behind it, and nothing else.
  swarm.hooks.markdown = function (element) {
    var head = element.querySelector(":scope > summary, :scope > .jh"), coverage = d.getElementById("coverage"), said_ = ["### " + titleOf(element), origin(element)];
    Array.prototype.forEach.call(element.children, function (part) { if (part !== head) said_ = said_.concat(blocks(part)); });
    if (coverage) said_.push(escaped(line(coverage.querySelector("summary") || coverage)));
    return said_.filter(Boolean).join("\n\n") + "\n";
  };
})();
