// A figure that folds over a strategy's closed trades with a state of its own. The state is kept as JSON text beside
// the tally, so that every storage keeps it alike, and a step can never change what is stored.
import * as Schema from "effect/Schema"
import type { Trade } from "../domain/Trade.ts"

/**
 * How a figure folds over the closed trades of a strategy's present period, in the sequence of their closing. `state`
 * says how the state is stored. Raise `version` whenever the state or the step changes: the figure is then folded anew
 * from all stored trades, at the next start.
 */
export interface Fold<State, Stored> {
  readonly version: number
  readonly state: Schema.Schema<State, Stored>
  /** The state before the first trade. */
  readonly initial: State
  /** The state after one more trade. Pure: it runs again where a commit is tried again, and in a rebuild. */
  readonly step: (state: State, trade: Trade) => State
  /** The figure as of today (ms); null where there is none. */
  readonly value: (state: State, today: number) => number | null
}

/** A fold whose type of state is its own matter: it takes and gives states as JSON text. All of it may throw. */
export interface FoldingFigure {
  readonly version: number
  readonly initial: () => string
  readonly step: (state: string, trade: Trade) => string
  readonly value: (state: string, today: number) => number | null
}

/** The longest state, in characters of its JSON: it is written with every change of the bot. */
export const MAX_STATE_CHARACTERS = 10_000

/**
 * Makes a figure of a fold. Throws where the version is not a whole number.
 *
 * @example
 * ```ts
 * import { Schema } from "effect"
 * import { Performance } from "signalbox"
 * import { isPositive } from "signalbox/domain/Decimal"
 * import { fold } from "signalbox/trading/FoldingFigure"
 *
 * const losingStreak = fold({
 *   version: 1,
 *   state: Schema.Struct({ now: Schema.Int, longest: Schema.Int }),
 *   initial: { now: 0, longest: 0 },
 *   step: ({ longest, now }, { pnl }) => {
 *     const losses = isPositive(pnl) ? 0 : now + 1
 *     return { now: losses, longest: Math.max(longest, losses) }
 *   },
 *   value: ({ longest }) => longest
 * })
 * const own = Performance.with({ losing_streak: losingStreak })
 * ```
 */
export const fold = <State, Stored>(of: Fold<State, Stored>): FoldingFigure => {
  if (!Number.isSafeInteger(of.version)) throw new RangeError("the version of a figure is a whole number")
  const text = Schema.parseJson(of.state)
  const decode = Schema.decodeSync(text)
  const encode = Schema.encodeSync(text)
  const bounded = (state: State): string => {
    const encoded = encode(state)
    if (encoded.length <= MAX_STATE_CHARACTERS) return encoded
    throw new RangeError(`its state takes more than ${MAX_STATE_CHARACTERS} characters of JSON`)
  }
  return {
    version: of.version,
    initial: () => bounded(of.initial),
    step: (state, trade) => bounded(of.step(decode(state), trade)),
    value: (state, today) => of.value(decode(state), today)
  }
}
