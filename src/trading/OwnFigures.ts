// The figures that an embedder has added, kept up with each trade beside the tally. A figure that fails is reported
// and has no value; nothing else is disturbed by it.
import * as Record from "effect/Record"
import * as Attempts from "../domain/internal/Attempts.ts"
import type { Trade } from "../domain/Trade.ts"
import type { FoldingFigure } from "./FoldingFigure.ts"
import type { OwnState, Tally } from "./Performance.ts"

/** A figure computed from a strategy's tally as of today (ms); null where there is none. */
export type Figure = (tally: Tally, today: number) => number | null

/** Folds figures anew: takes all trades of the period, oldest first. `tally` has the result. */
export interface Rebuilding {
  readonly add: (trade: Trade) => void
  /** The same object as before where no figure could be rebuilt. */
  readonly tally: () => Tally
}

/** Called with the name of a figure that failed, once for each, and with the error. */
export type OnFailure = (name: string, error: unknown) => void

type States = Readonly<Record<string, OwnState>>

/** All figures of one embedder. */
export class OwnFigures {
  readonly #figures: Readonly<Record<string, Figure | FoldingFigure>>
  readonly #folding: ReadonlyArray<readonly [string, FoldingFigure]>
  readonly #attempt: Attempts.Attempt<string>

  constructor(figures: Readonly<Record<string, Figure | FoldingFigure>>, onFailure: OnFailure) {
    this.#figures = figures
    this.#folding = Object.entries(figures).flatMap(([name, figure]) =>
      typeof figure === "function" ? [] : [[name, figure] as const]
    )
    this.#attempt = Attempts.make(onFailure)
  }

  /** Whether some figure has a state of its own. */
  get areFolding(): boolean {
    return this.#folding.length > 0
  }

  /** A tally before the first trade, with the first state of each figure. */
  begin(tally: Tally): Tally {
    return this.areFolding ? { ...tally, own: this.#initial(this.#folding) } : tally
  }

  /** `after` is the tally with the trade, `before` without it. A figure that lacks an earlier trade takes no more. */
  add(before: Tally, after: Tally, trade: Trade): Tally {
    if (!this.areFolding) return after
    const own: Record<string, OwnState> = {}
    for (const [name, figure] of this.#folding) {
      const state = before.own?.[name]
      if (state === undefined) continue
      own[name] = isCurrent(figure, state, before) ? this.#step(name, figure, state, trade) : state
    }
    return { ...after, own }
  }

  /** Each figure's value by name; null where it is not finite, failed, or lacks a trade. */
  values(tally: Tally, today: number): Readonly<Record<string, number | null>> {
    return Record.map(this.#figures, (figure, name) => {
      const value = this.#attempt(name, () => {
        if (typeof figure === "function") return figure(tally, today)
        const state = tally.own?.[name]
        return state !== undefined && isCurrent(figure, state, tally)
          ? figure.value(state.state, today)
          : null
      })
      return Number.isFinite(value) ? (value ?? null) : null
    })
  }

  /** Folds the figures anew that lack a trade of the tally or have another version; undefined where none does. */
  rebuilding(tally: Tally): Rebuilding | undefined {
    const stale = this.#folding.filter(([name, figure]) => {
      const state = tally.own?.[name]
      return state === undefined || !isCurrent(figure, state, tally)
    })
    if (stale.length === 0) return undefined
    let states = this.#initial(stale)
    let count = 0
    return {
      add: (trade) => {
        states = Record.map(states, (state, name) => {
          const figure = stale.find(([other]) => other === name)?.[1]
          // One that failed stays behind.
          return figure === undefined || state.trades < count ? state : this.#step(name, figure, state, trade)
        })
        count++
      },
      tally: () => {
        const whole = Record.filter(states, ({ trades }) => trades === tally.count)
        return Record.isEmptyRecord(whole) ? tally : { ...tally, own: { ...tally.own, ...whole } }
      }
    }
  }

  #initial(folding: ReadonlyArray<readonly [string, FoldingFigure]>): States {
    const own: Record<string, OwnState> = {}
    for (const [name, figure] of folding) {
      const state = this.#attempt(name, figure.initial)
      if (state !== undefined) own[name] = { version: figure.version, trades: 0, state }
    }
    return own
  }

  /** The state after a trade; the same one where the figure failed, which then lacks the trade. */
  #step(name: string, { step, version }: FoldingFigure, before: OwnState, trade: Trade): OwnState {
    const state = this.#attempt(name, () => step(before.state, trade))
    return state === undefined ? before : { version, trades: before.trades + 1, state }
  }
}

/** Whether the figure has folded every trade of the tally, in its present version. */
const isCurrent = ({ version }: FoldingFigure, state: OwnState, { count }: Tally): boolean =>
  state.version === version && state.trades === count
