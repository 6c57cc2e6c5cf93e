// Gives memory back that answers and broken connections have left: the collector alone would take its time, and a small
// machine has none to spare.

/** How many looks later: eight seconds, since exchanges often come back together. */
const LOOKS = 32

let left = 0

/** Right away, after an answer with all markets: it is large, and garbage once it was read. */
export const now = (): void => Bun.gc(true)

/** Once the connections of all exchanges have settled. */
export const soon = (): void => {
  left = LOOKS
}

/** Call it four times a second. */
export const look = (): void => {
  if (left > 0 && --left === 0) now()
}
