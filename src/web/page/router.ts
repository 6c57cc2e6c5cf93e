import { href, parse, type Route } from "./routes.ts"
import { store, useStore } from "./store.ts"

const hash = store(location.hash)
addEventListener("hashchange", () => hash.set(location.hash))

/** Where the page is; undefined where the address names no page. */
export const useRoute = (): Route | undefined => parse(useStore(hash))

/** Goes to an address made by `href`. */
export const go = (address: string): void => {
  location.hash = address
}

/** Changes the query of the address in place: tabs, sorting and filters survive a reload without filling the history. */
export const setQuery = (change: Readonly<Record<string, string | number | undefined>>): void => {
  const route = parse(location.hash)
  if (route === undefined) return
  history.replaceState(null, "", href(route.page, route.rest, { ...route.query, ...change }))
  hash.set(location.hash)
}
