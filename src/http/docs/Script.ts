// What runs on the reference page: the chosen theme and language, the filter, copying, and the server's own address in
// the examples. The page says everything without it.

export const SCRIPT = `"use strict";
(() => {
  const kept = (key) => { try { return localStorage.getItem(key) } catch { return null } };
  const keep = (key, value) => { try { localStorage.setItem(key, value) } catch {} };
  const theme = kept("signalbox.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

  const address = document.getElementById("address");
  const base = new URL(".", location.href).href.replace(/\\/$/, "");
  address.textContent = address.textContent.replace("http://127.0.0.1:8080", base);

  const languages = ["curl", "TypeScript", "Python"];
  const choose = (chosen) => {
    document.documentElement.dataset.language = chosen;
    for (const button of document.querySelectorAll(".language")) button.setAttribute("aria-pressed", String(button.textContent === chosen));
  };
  for (const first of document.querySelectorAll('figure[data-language="curl"]')) {
    const bar = document.createElement("p");
    bar.className = "languages";
    for (const language of languages) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "language";
      button.textContent = language;
      button.addEventListener("click", () => {
        const before = bar.getBoundingClientRect().top;
        keep("signalbox.language", language);
        choose(language);
        scrollBy(0, bar.getBoundingClientRect().top - before);
      });
      bar.append(button);
    }
    first.before(bar);
  }
  choose(languages.includes(kept("signalbox.language")) ? kept("signalbox.language") : "curl");

  document.addEventListener("click", async (event) => {
    const button = event.target;
    if (!(button instanceof HTMLButtonElement) || !button.classList.contains("copy")) return;
    try {
      await navigator.clipboard.writeText(button.closest("figure").querySelector("pre").textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy";
    }
    setTimeout(() => { button.textContent = "Copy" }, 2000);
  });

  const filter = document.getElementById("filter");
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\\s+/);
    for (const line of document.querySelectorAll("nav li[data-words]"))
      line.hidden = !words.every((word) => line.dataset.words.includes(word));
  });
})();
`
