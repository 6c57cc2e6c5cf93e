// The colour theme: the system's, unless the user chose light or dark. The choice is kept in the browser.
import { store } from "./shared.ts"

const KEY = "signalbox.theme"
const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

const kept = (): Theme => {
  try {
    const text = localStorage.getItem(KEY)
    return THEMES.find((it) => it === text) ?? "system"
  } catch {
    return "system"
  }
}

/** The chosen theme, or the system's. */
export const theme = store<Theme>(kept())

const apply = (): void => {
  const chosen = theme.get()
  if (chosen === "system") document.documentElement.removeAttribute("data-theme")
  else document.documentElement.dataset["theme"] = chosen
}
apply()

export const choose = (chosen: Theme): void => {
  theme.set(chosen)
  apply()
  try {
    localStorage.setItem(KEY, chosen)
  } catch {
    // Local storage is not available: the choice lasts as long as the page.
  }
}

/** The theme after the current one. */
export const nextTheme = (): Theme => THEMES[(THEMES.indexOf(theme.get()) + 1) % THEMES.length] ?? "system"

/** Calls back when the colours change, by choice or with the system. */
export const onColours = (run: () => void): (() => void) => {
  const media = matchMedia("(prefers-color-scheme: dark)")
  media.addEventListener("change", run)
  const off = theme.subscribe(run)
  return () => {
    media.removeEventListener("change", run)
    off()
  }
}
