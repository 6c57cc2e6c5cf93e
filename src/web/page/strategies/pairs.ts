import type { Listing } from "./form.ts"

/** Pairs that are written out whole, one or a list of them; nothing where anything else stands there. */
export const pairsIn = (text: string): ReadonlyArray<string> => {
  const words = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((word) => word !== "")
  return words.every((word) => /^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/.test(word)) ? words : []
}

/** The server names a pair by its place in the request; here it has a name. */
export const named = (text: string, listings: ReadonlyArray<Listing>): string => {
  const [place = "", listing, pair] = /^\[(\d+)\](?:\.coin_pairs(?:\[(\d+)\])?)?/.exec(text) ?? []
  const found = listings[Number(listing)]
  if (found === undefined) return text
  const name = pair === undefined ? found.exchange_name : found.coin_pairs[Number(pair)]
  if (name === undefined) return text
  const rest = text.slice(place.length)
  return rest.startsWith(` ${name} `) ? rest.slice(1) : name + rest
}
