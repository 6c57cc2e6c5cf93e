// Gives memory back that answers and broken connections have left: the collector alone would take its time, and a small
// machine has none to spare.

/** How long after the last connection (ms): exchanges often come back together. */
const SETTLED_MS = 8_000

let waiting: ReturnType<typeof setTimeout> | undefined

/** Right away, after an answer with all markets: it is large, and garbage once it was read. */
export const now = (): void => Bun.gc(true)

/** Once the connections of all exchanges have settled. */
export const soon = (): void => {
  clearTimeout(waiting)
  waiting = setTimeout(now, SETTLED_MS)
  waiting.unref()
}
