import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Desk } from "./Desk.ts"
import type { LiveBot } from "./Roster.ts"
import { breathe, type Turn } from "./Start.ts"

/** How soon after a deadline it is seen, and the longest until the next look (ms). */
const TICK_MS = 100
const MOST_MS = 1000

/** Looks once at what the time alone makes of bots, and rests until it may make something again. */
export const make = (desk: Desk, turn: Turn) => {
  /** Waits that are over, and deadlines of rules. Looks at every bot, and asks only those whose time has come. */
  const followTime = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due: Array<LiveBot> = []
    for (const bot of desk.roster.all()) if (bot.wakesAt <= now) due.push(bot)
    if (due.length === 0) return
    const contextFor = yield* desk.present
    for (const bot of due) {
      const context = contextFor(bot)
      desk.engine.safely(bot, () => {
        desk.engine.expire(bot, context)
        desk.engine.tell(bot, { _tag: "Time" }, context)
      })
      if (desk.engine.isFull()) yield* Effect.zipRight(desk.settle(), breathe)
    }
    yield* desk.settle()
  })

  /** Until the next deadline, or to where a new one may have come up. */
  const rest = Effect.gen(function* () {
    let next = Number.POSITIVE_INFINITY
    for (const { wakesAt } of desk.roster.all()) next = Math.min(next, wakesAt)
    const left = next - (yield* Clock.currentTimeMillis)
    yield* Effect.sleep(Math.max(TICK_MS, Math.min(left, MOST_MS)))
  })

  return Effect.zipRight(turn(followTime), rest)
}
