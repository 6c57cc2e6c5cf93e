// The decisions of an embedder's own: what an entry, its size and an extra exit may be, given as plain functions. Every
// answer is checked; a hook that throws or gives no usable answer vetoes an entry, and closes nothing.
import * as Attempts from "../domain/internal/Attempts.ts"
import type { MarketId } from "../domain/Market.ts"
import type { PositionSide } from "../domain/Order.ts"
import type { Settings } from "../domain/Strategy.ts"
import type { Ticker } from "../domain/Ticker.ts"
import {
  type AlertChange,
  type Arrival,
  checked,
  type Decide,
  type Decided,
  type OpenPosition
} from "./OwnAlert.ts"

export type { OpenPosition }

/** The facts that every hook may read, as plain data of one bot on one market. Money is in the bot's quote currency. */
export interface OwnContext {
  /** The time in ms since the epoch. */
  readonly now: number
  readonly settings: Settings
  readonly market: MarketId
  readonly ticker: Ticker
  /** The price that counts: of an entry for `entry` and `size`, of closing the position for `exit`. */
  readonly price: number
  /** Cash without what entries on their way reserve. */
  readonly free: number
  /** Cash and open positions at the last prices. */
  readonly equity: number
}

/** An entry that the rules would make: the first of a position, or an averaging one (`dca`). */
export interface Proposal {
  readonly purpose: "entry" | "dca"
  readonly side: PositionSide
  /** The id of the alert behind it. */
  readonly alert: number
  /** Take profit and stop as prices in quote. An averaging entry has none. */
  readonly tp?: number | undefined
  readonly sl?: number | undefined
}

/** The entry must not be made, or the alert must not be acted on; `text` is shown on the timeline. */
export interface Veto {
  readonly _tag: "Veto"
  readonly text: string
}

/** The position must be closed at market; `text` is shown on the timeline. */
export interface Leave {
  readonly _tag: "Leave"
  readonly text: string
}

/**
 * The position is kept, and `exit` is not called again before the closing price is at or below `below`, at or above
 * `above`, or the time (ms since the epoch) is `at`; an absent one never comes. An event of the bot's own, such as a
 * fill, calls it too. A time that is over counts as none, and one within a second as a second away.
 */
export interface Hold {
  readonly _tag: "Hold"
  readonly below?: number | undefined
  readonly above?: number | undefined
  readonly at?: number | undefined
}

/**
 * Own decisions as plain functions. They must be pure (the same input has the same answer), fast and synchronous: the
 * engine calls them between two prices, in a preview too, and again after a crash. Each is optional.
 */
export interface Hooks {
  /**
   * Wraps what an alert means, at the market that it was routed to and at its price: returns what `decide` returned, for
   * the alert as it came or changed, or a veto, which works for alerts that close as well. Rules and the other hooks have
   * their say within `decide`.
   */
  readonly alert?: (context: OwnContext, alert: Arrival, decide: Decide) => Decided | Veto
  /** Returns the proposal, with other targets if wanted, or a veto. Called once all rules have let the entry pass. */
  readonly entry?: (context: OwnContext, proposal: Proposal) => Proposal | Veto
  /**
   * Returns the amount to spend, from 0 to `context.free`. `amount` is that of the strategy's settings, at most what is
   * free. The market's steps and minimums and the largest order of real money hold afterwards.
   */
  readonly size?: (context: OwnContext, amount: number, proposal: Proposal) => number
  /**
   * Returns whether to close a position which all rules before it keep, and where to look again if not. Decide by the
   * price, the time and the position: `free` and `equity` change without the window being left.
   */
  readonly exit?: (context: OwnContext, position: OpenPosition) => Leave | Hold
}

/** The name of a hook. */
export type HookName = keyof Hooks

/** An entry that must not be made, for the hook `entry`; an alert that must not be acted on, for the hook `alert`. */
export const veto = (text: string): Veto => ({ _tag: "Veto", text })

/** A position that must be closed, for the hook `exit`. */
export const leave = (text: string): Leave => ({ _tag: "Leave", text })

/** A position to keep until its price or the time leaves this window, for the hook `exit`. */
export const hold = (window: Omit<Hold, "_tag"> = {}): Hold => ({ ...window, _tag: "Hold" })

/** The most characters of an own text that are shown. */
export const MAX_OWN_TEXT = 200

/** Own decisions whose every answer is checked, as the rules call them. They never throw. */
export class OwnDecisions {
  readonly #hooks: Hooks
  readonly #attempt: Attempts.Attempt<HookName>

  /** `onFailure` is called with the name of a hook that failed, once for each, and with the error. */
  constructor(hooks: Hooks, onFailure: (hook: HookName, error: unknown) => void) {
    this.#hooks = hooks
    this.#attempt = Attempts.make(onFailure)
  }

  /** Whether alerts are wrapped. */
  get hasAlert(): boolean {
    return this.#hooks.alert !== undefined
  }

  /** Whether there is an exit of the embedder's own. */
  get hasExit(): boolean {
    return this.#hooks.exit !== undefined
  }

  /** One of the decisions that `decide` made, or a veto; undefined where the hook failed. */
  alert(
    context: OwnContext,
    arrival: Arrival,
    decide: (change: AlertChange) => Decided
  ): Decided | Veto | undefined {
    const { alert } = this.#hooks
    if (alert === undefined) return decide({ ...arrival })
    return this.#attempt("alert", () => {
      const made = new Set<Decided>()
      const answer = alert(context, { ...arrival }, checked(arrival, decide, made))
      if (isVetoed(answer)) return veto(plain(answer.text))
      if (!made.has(answer)) throw new TypeError("alert must return a veto, or what decide returned")
      return answer
    })
  }

  /** The proposal with its final targets, or why there is no entry. */
  entry(context: OwnContext, proposal: Proposal): Proposal | Veto {
    const { entry } = this.#hooks
    if (entry === undefined) return proposal
    return (
      this.#attempt("entry", () => {
        const answer = entry(context, { ...proposal })
        return isVeto(answer) ? veto(plain(answer.text)) : sound(proposal, answer)
      }) ?? FAILED
    )
  }

  /** The amount to spend, or why there is no entry. */
  size(context: OwnContext, amount: number, proposal: Proposal): number | Veto {
    const { size } = this.#hooks
    if (size === undefined) return amount
    return (
      this.#attempt("size", () => {
        const wanted = size(context, amount, { ...proposal })
        if (!Number.isFinite(wanted) || wanted < 0) throw new TypeError(`size must not be ${String(wanted)}`)
        return wanted > context.free
          ? veto(`its size of ${figure(wanted)} is beyond the free ${figure(context.free)}`)
          : wanted
      }) ?? FAILED
    )
  }

  /** Whether to close the position, and where to look again; undefined where the hook failed. */
  exit(context: OwnContext, position: OpenPosition): Leave | Hold | undefined {
    const { exit } = this.#hooks
    if (exit === undefined) return HOLD
    return this.#attempt("exit", () => {
      const answer = exit(context, position)
      if (answer._tag === "Leave") return leave(plain(answer.text))
      if (answer._tag !== "Hold") throw new TypeError("exit must return leave(text) or hold(window)")
      const { above, at, below } = answer
      for (const bound of [above, at, below])
        if (bound !== undefined && !isNumber(bound)) throw new TypeError("a bound of hold must be a number")
      return hold({ below, above, at })
    })
  }
}

const HOLD = hold()
/** Why there is no entry where a hook failed. */
export const FAILED = veto("it failed, and a failure is a veto")

const isVeto = (answer: Proposal | Veto): answer is Veto => "_tag" in answer && answer._tag === "Veto"

const isVetoed = (answer: Decided | Veto): answer is Veto => "_tag" in answer && answer._tag === "Veto"

const isNumber = (value: unknown): boolean => typeof value === "number" && !Number.isNaN(value)

/** The proposal with the targets of the answer. All else of it is not the hook's to change. */
const sound = (proposal: Proposal, answer: Proposal): Proposal => {
  for (const field of ["purpose", "side", "alert"] as const)
    if (answer[field] !== proposal[field]) throw new TypeError(`entry must not change ${field}`)
  const { sl, tp } = answer
  if (proposal.purpose === "dca" && (tp ?? sl) !== undefined)
    throw new TypeError("an averaging entry has no targets")
  for (const target of [tp, sl])
    if (target !== undefined && !(Number.isFinite(target) && target > 0))
      throw new TypeError(`a target must not be ${String(target)}`)
  return { ...proposal, tp, sl }
}

/** An embedder's text as it is shown: one line of plain characters, at most `MAX_OWN_TEXT` of them. */
export const plain = (text: string): string => {
  if (typeof text !== "string") throw new TypeError("the text of an own decision must be a string")
  const line = text
    .slice(0, 5 * MAX_OWN_TEXT)
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
  const short = Array.from(line)
    .slice(0, MAX_OWN_TEXT)
    .join("")
    .replace(/[\s.]+$/u, "")
  return short === "" ? "no reason given" : short
}

const figure = (value: number): string => String(Number(value.toPrecision(8)))
