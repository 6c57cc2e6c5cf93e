// Finds the page of a URL like `#/strategies/12?tab=trades`. Pure functions; router.ts is the browser's part.

export const PAGES = [
  "overview",
  "signals",
  "strategies",
  "strategy",
  "discover",
  "trades",
  "alerts",
  "backtest",
  "settings"
] as const
export type PageName = (typeof PAGES)[number]

export interface Route {
  readonly page: PageName
  /** The path after the page's name; the page interprets it. */
  readonly rest: ReadonlyArray<string>
  readonly query: Readonly<Record<string, string>>
}

/** The rest of its URL, which every page receives. */
export type PageProps = Pick<Route, "rest" | "query">

/** The route of a hash; undefined if there is no such page. */
export const parse = (hash: string): Route | undefined => {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?")
  const [first, ...rest] = path
    .split("/")
    .filter((part) => part !== "")
    .map(decoded)
  const query = Object.fromEntries(new URLSearchParams(search))
  if (first === undefined) return { page: "overview", rest: [], query }
  // A strategy has a page of its own; creating and editing one belong to the list.
  if (first === "strategies" && rest.length === 1 && /^\d+$/.test(rest[0] ?? ""))
    return { page: "strategy", rest, query }
  const page = PAGES.find((it) => it === first && it !== "strategy")
  return page === undefined ? undefined : { page, rest, query }
}

/** The URL of a page: `href("strategies", [12, "edit"])`. Undefined and empty query values are left out. */
export const href = (
  page: PageName,
  rest: ReadonlyArray<string | number> = [],
  query: Readonly<Record<string, string | number | undefined>> = {}
): string => {
  const first = page === "overview" ? "" : page === "strategy" ? "strategies" : page
  const path = [first, ...rest.map((part) => encodeURIComponent(part))].filter((part) => part !== "")
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.set(key, String(value))
  const text = search.toString()
  return `#/${path.join("/")}${text === "" ? "" : `?${text}`}`
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
