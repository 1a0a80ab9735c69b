// Before the first paint: the theme that was chosen, else the system's.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem("theme");
  const isDark = () => (chosen() ? chosen() === "dark" : system.matches);
  const show = () => {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
    const button = document.getElementById("theme");
    if (button) button.textContent = isDark() ? "Light mode" : "Dark mode";
  };
  show();
  system.addEventListener("change", show);
  addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => {
      localStorage.setItem("theme", isDark() ? "light" : "dark");
      show();
    });
  });
})();
