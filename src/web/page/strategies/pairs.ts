// Reads typed pairs, and names pairs in the server's errors.
import type { Listing } from "./form.ts"

/** Pairs typed in full, one or several; empty if there is any other text. */
export const pairsIn = (text: string): ReadonlyArray<string> => {
  const words = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((word) => word !== "")
  return words.every((word) => /^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/.test(word)) ? words : []
}

/** Replaces a pair's index in an error by its name. */
export const named = (text: string, listings: ReadonlyArray<Listing>): string => {
  const [place = "", listing, pair] = /^\[(\d+)\](?:\.coin_pairs(?:\[(\d+)\])?)?/.exec(text) ?? []
  const found = listings[Number(listing)]
  if (found === undefined) return text
  const name = pair === undefined ? found.exchange_name : found.coin_pairs[Number(pair)]
  if (name === undefined) return text
  const rest = text.slice(place.length)
  return rest.startsWith(` ${name} `) ? rest.slice(1) : name + rest
}
