// The page's router over the URL's hash. A page may block leaving it while it has unsaved input.
import { codeIn } from "./arrival.ts"
import { href, parse, type Route } from "./routes.ts"
import { store } from "./shared.ts"
import { useStore } from "./store.ts"

const isAddress = (text: string) => text === "" || text.startsWith("#/")

const hash = store(isAddress(location.hash) && codeIn(location.hash) === undefined ? location.hash : "")
let guard: ((address: string) => boolean) | undefined

addEventListener("hashchange", () => {
  const address = location.hash
  if (address === hash.get()) return
  // A sign-in link that is opened in this tab: main.tsx takes it from the start.
  if (codeIn(address) !== undefined) return location.reload()
  // Restore the URL if the page refuses to be left, or if the hash only named an element.
  if (!isAddress(address) || guard?.(address) === false)
    history.replaceState(null, "", hash.get() === "" ? "#/" : hash.get())
  else hash.set(address)
})

/** The current route; undefined if the URL names no page. */
export const useRoute = (): Route | undefined => parse(useStore(hash))

/** Goes to an address made by `href`. */
export const go = (address: string): void => {
  location.hash = address
}

/** Asks `may` before every navigation; false cancels it. The result removes the guard. */
export const guardLeaving = (may: (address: string) => boolean): (() => void) => {
  guard = may
  return () => {
    if (guard === may) guard = undefined
  }
}

/** Changes the query in place: tabs, sorting and filters survive a reload without filling the history. */
export const setQuery = (change: Readonly<Record<string, string | number | undefined>>): void => {
  const route = parse(location.hash)
  if (route === undefined) return
  history.replaceState(null, "", href(route.page, route.rest, { ...route.query, ...change }))
  hash.set(location.hash)
}
