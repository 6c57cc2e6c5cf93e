import { href, parse, type Route } from "./routes.ts"
import { store, useStore } from "./store.ts"

const isAddress = (text: string) => text === "" || text.startsWith("#/")

const hash = store(isAddress(location.hash) ? location.hash : "")
let guard: ((address: string) => boolean) | undefined

addEventListener("hashchange", () => {
  const address = location.hash
  if (address === hash.get()) return
  // Whoever stays finds the address of the page that is still shown; so does who only went to a place on it.
  if (!isAddress(address) || guard?.(address) === false)
    history.replaceState(null, "", hash.get() === "" ? "#/" : hash.get())
  else hash.set(address)
})

/** Where the page is; undefined where the address names no page. */
export const useRoute = (): Route | undefined => parse(useStore(hash))

/** Goes to an address made by `href`. */
export const go = (address: string): void => {
  location.hash = address
}

/** Asks before every change of the page, until the answer is called: a page stays where it is told false. */
export const guardLeaving = (may: (address: string) => boolean): (() => void) => {
  guard = may
  return () => {
    if (guard === may) guard = undefined
  }
}

/** Changes the query of the address in place: tabs, sorting and filters survive a reload without filling the history. */
export const setQuery = (change: Readonly<Record<string, string | number | undefined>>): void => {
  const route = parse(location.hash)
  if (route === undefined) return
  history.replaceState(null, "", href(route.page, route.rest, { ...route.query, ...change }))
  hash.set(location.hash)
}
