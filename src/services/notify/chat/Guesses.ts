// Bounds what strangers get out of a bot: a few answers for each chat and for all of them together, then silence. It
// keeps a bounded number of chats in memory.

/** Answers to one chat, and to all chats together, in a window. */
const MOST_OF_CHAT = 3
const MOST_OF_ALL = 30
const WINDOW_MS = 600_000

/** Counts answers to strangers. `now` in ms. */
export interface Guesses {
  /** Whether a stranger may get one more answer now; counts it. */
  readonly allow: (chat: number, now: number) => boolean
}

/** Makes the counter of a bot. */
export const make = (): Guesses => {
  let since = Number.NEGATIVE_INFINITY
  let all = 0
  const byChat = new Map<number, number>()
  return {
    allow: (chat, now) => {
      if (now - since >= WINDOW_MS) {
        since = now
        all = 0
        byChat.clear()
      }
      const count = byChat.get(chat) ?? 0
      if (all >= MOST_OF_ALL || count >= MOST_OF_CHAT) return false
      all++
      byChat.set(chat, count + 1)
      return true
    }
  }
}
