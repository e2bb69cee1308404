// Runs before anything is painted, so that somebody who chose a theme never sees a flash of the other one.
// A file of its own because the content security policy allows no inline script. See src/shell/theme.ts.
(function () {
  try {
    var theme = localStorage.getItem("cairn.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (refused) {
    // A browser that keeps nothing for us shows the system's theme.
  }
})();
