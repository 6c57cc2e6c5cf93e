// When candles may be asked for: at half the rate that an exchange allows, since prices and orders are requested too; what
// is urgent first, and the rest in the sequence of its coming.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { descriptors } from "../../ccxt/descriptors.ts"
import type { KnownExchange } from "../../domain/Market.ts"

/** The share of an exchange's rate that candles for rules take. */
const SHARE = 0.5
/** Requests to an exchange at a time. */
const AT_A_TIME = 4

/** `missing`: a rule waits for a closed candle. `check`: one is compared. `past`: a rule wants to begin. */
export type Urgency = "missing" | "check" | "past"
const URGENCIES: ReadonlyArray<Urgency> = ["missing", "check", "past"]

/** The turns of one exchange. */
class Turns {
  readonly #everyMs: number
  readonly #look: (turns: Turns) => void
  readonly #waiting: Readonly<Record<Urgency, Array<() => void>>> = { missing: [], check: [], past: [] }
  #running = 0
  #next = 0
  /** Whether somebody gives the turns. */
  isLooking = false

  constructor(exchange: KnownExchange, look: (turns: Turns) => void) {
    this.#everyMs = 1000 / (descriptors[exchange].rate.perSecond * SHARE)
    this.#look = look
  }

  /** Waits for a turn, which is to be `ended`; one that is not waited for any more is given to others. */
  wait(urgency: Urgency): Effect.Effect<void> {
    return Effect.async((resume) => {
      const all = this.#waiting[urgency]
      const go = () => resume(Effect.void)
      all.push(go)
      this.#look(this)
      return Effect.sync(() => {
        const place = all.indexOf(go)
        if (place >= 0) all.splice(place, 1)
        else this.ended()
      })
    })
  }

  /** Gives the turns that are due; returns when to look again (ms), if anybody waits. */
  give(now: number): number | undefined {
    for (;;) {
      const urgency = URGENCIES.find((it) => this.#waiting[it].length > 0)
      if (urgency === undefined) return undefined
      if (this.#running >= AT_A_TIME) return now + this.#everyMs
      if (this.#next > now) return this.#next
      this.#next = now + this.#everyMs
      this.#running++
      this.#waiting[urgency].shift()?.()
    }
  }

  ended(): void {
    this.#running--
  }
}

/** Runs a request in its turn. */
export type Within = (
  exchange: KnownExchange,
  urgency: Urgency
) => <A, E>(request: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Makes the turns of all exchanges. */
export const make: Effect.Effect<Within, never, Scope.Scope> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const run = Runtime.runFork(yield* Effect.runtime<never>())
  const all = new Map<KnownExchange, Turns>()

  /** Gives turns for as long as anybody waits. */
  const give = Effect.fnUntraced(function* (turns: Turns) {
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const at = turns.give(now)
      if (at === undefined) break
      yield* Effect.sleep(Math.max(1, at - now))
    }
    turns.isLooking = false
  })
  const look = (turns: Turns): void => {
    if (turns.isLooking) return
    turns.isLooking = true
    run(Effect.forkIn(give(turns), scope))
  }

  return (exchange, urgency) => (request) => {
    const turns = all.get(exchange) ?? new Turns(exchange, look)
    all.set(exchange, turns)
    return Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(
        restore(turns.wait(urgency)),
        Effect.ensuring(
          restore(request),
          Effect.sync(() => turns.ended())
        )
      )
    )
  }
})
