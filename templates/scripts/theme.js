(function () {
  "use strict";
  var kept = null;
  try { kept = localStorage.getItem("swarm-theme"); } catch (error) { return; }
  if (kept === "light" || kept === "dark") document.documentElement.setAttribute("data-theme", kept);
})();
