// The alerts that a bot holds because it could not decide them yet, sorted by arrival. Adding or dropping one alert
// costs the same however many there are.
import { type Alert, isEntry } from "../../../domain/Alert.ts"
import type { MarketKind } from "../../../domain/Market.ts"
import type { AlertPatience } from "../../../trading/AlertPatience.ts"
import { meaningOf } from "../../../trading/Routing.ts"
import { IdsByKey } from "./IdsByKey.ts"

/** A held alert. `since` is when it was first judged (ms). */
export interface HeldAlert {
  readonly alert: Alert
  readonly since: number
}

/** A pair's held alerts by id, sorted by arrival, and how many of them are for each kind of market. */
interface OfPair {
  readonly alerts: Map<number, HeldAlert>
  readonly counts: Record<MarketKind, number>
}

/** A bot's held alerts. */
export class HeldAlerts {
  readonly #held = new Map<number, HeldAlert>()
  readonly #pairs = new Map<string, OfPair>()
  /** Ids of held entries and exits by `positionKey`, oldest first. */
  readonly #entries = new IdsByKey()
  readonly #exits = new IdsByKey()
  /** Ids of held closes of a part by `positionKey`, which leave something to close. */
  readonly #parts = new IdsByKey()

  get size(): number {
    return this.#held.size
  }

  get(id: number): HeldAlert | undefined {
    return this.#held.get(id)
  }

  /** Iterates in arrival sequence; alerts may be added and dropped meanwhile. */
  [Symbol.iterator](): Iterator<HeldAlert> {
    return this.#held.values()
  }

  /** The pairs of the held alerts, each once. */
  pairs(): Iterable<string> {
    return this.#pairs.keys()
  }

  /** The market kinds of a pair that held alerts are for. */
  kinds(pair: string): ReadonlyArray<MarketKind> {
    const counts = this.#pairs.get(pair)?.counts
    return counts === undefined ? [] : KINDS.filter((kind) => counts[kind] > 0)
  }

  /** The held alerts of a pair, in arrival sequence; alerts may be added and dropped while they are read. */
  ofPair(pair: string): Iterable<HeldAlert> {
    return this.#pairs.get(pair)?.alerts.values() ?? []
  }

  /**
   * The exits of a pair that wait behind no entry for the same position; entries in `except` do not count. An exit of
   * either side may still wait behind an entry of the other one. They are few, however many alerts are held: see `HoldRules`.
   */
  exitsInFront(pair: string, except: ReadonlyArray<number>): ReadonlyArray<HeldAlert> {
    const ids = KINDS.flatMap((kind) => SIDES.map((side) => `${pair} ${kind} ${side}`)).flatMap((key) => {
      const end = this.#entries.first(key, except) ?? Number.POSITIVE_INFINITY
      return [...this.#exits.upTo(key, end), ...this.#parts.upTo(key, end)]
    })
    return ids.flatMap((id) => this.#held.get(id) ?? [])
  }

  /** The earlier entries for the same position that are held, the last of each side: the exit has to close what they open. */
  entriesAhead(alert: Alert): ReadonlyArray<number> {
    if (isEntry(alert.type)) return NONE
    const keys = alert.eitherSide === true ? bothKeys(alert) : [positionKey(alert)]
    return keys.flatMap((key) => this.#entries.before(key, alert.id) ?? NONE)
  }

  /** How many alerts that close all of the same position wait ahead of this one, with no entry between. */
  exitsAhead(alert: Alert): number {
    return this.#ahead(this.#exits, alert)
  }

  /** How many alerts that close a part of the same position wait ahead of this one, with no entry between. */
  partsAhead(alert: Alert): number {
    return this.#ahead(this.#parts, alert)
  }

  /** How many entry alerts for the same position wait ahead of this one. */
  entriesWaiting(alert: Alert): number {
    return this.#entries.between(positionKey(alert), 0, alert.id)
  }

  #ahead(ids: IdsByKey, alert: Alert): number {
    const key = positionKey(alert)
    return ids.between(key, this.#entries.before(key, alert.id) ?? 0, alert.id)
  }

  add(held: HeldAlert): void {
    this.drop(held.alert.id)
    this.#lineOf(held.alert).add(positionKey(held.alert), held.alert.id)
    this.#held.set(held.alert.id, held)
    const pair = pairText(held.alert)
    const own = this.#pairs.get(pair) ?? { alerts: new Map(), counts: { spot: 0, swap: 0 } }
    own.alerts.set(held.alert.id, held)
    own.counts[meaningOf(held.alert.type).kind]++
    this.#pairs.set(pair, own)
  }

  drop(id: number): void {
    const held = this.#held.get(id)
    if (held === undefined) return
    this.#held.delete(id)
    this.#lineOf(held.alert).drop(positionKey(held.alert), id)
    const pair = pairText(held.alert)
    const own = this.#pairs.get(pair)
    if (own === undefined) return
    own.alerts.delete(id)
    own.counts[meaningOf(held.alert.type).kind]--
    if (own.alerts.size === 0) this.#pairs.delete(pair)
  }

  #lineOf(alert: Alert): IdsByKey {
    if (isEntry(alert.type)) return this.#entries
    return isPart(alert) ? this.#parts : this.#exits
  }
}

/** Whether a closing alert leaves a part of the position open. */
export const isPart = ({ closePercent = 100 }: Pick<Alert, "closePercent">): boolean => closePercent < 100

const NONE: ReadonlyArray<number> = []
const KINDS = ["spot", "swap"] as const
const SIDES = ["long", "short"] as const

/** Names the position that an alert opens or closes. */
const positionKey = (alert: Alert): string => {
  const { kind, side } = meaningOf(alert.type)
  return `${pairText(alert)} ${kind} ${side}`
}

/** Names the positions of both sides, for a close of whichever is held. */
const bothKeys = (alert: Alert): ReadonlyArray<string> => {
  const { kind } = meaningOf(alert.type)
  return SIDES.map((side) => `${pairText(alert)} ${kind} ${side}`)
}

/** The two deadlines of a held entry (ms): without a price it is given up, and after a while it is too old. */
export const deadlinesOf = (
  { alert, since }: HeldAlert,
  { entryMs, priceMs }: AlertPatience
): readonly [number, number] => [since + priceMs, alert.receivedAt + entryMs + 1]

/**
 * The next deadline after `now` (ms) among held entries; exits wait without a deadline. Entries are sorted by deadline,
 * so the search ends at the first one whose deadlines are both ahead.
 */
export const nextDeadline = (held: Iterable<HeldAlert>, patience: AlertPatience, now: number): number => {
  let next = Number.POSITIVE_INFINITY
  for (const one of held) {
    if (!isEntry(one.alert.type)) continue
    const ahead = deadlinesOf(one, patience).filter((at) => at > now)
    next = Math.min(next, ...ahead)
    if (ahead.length === 2) break
  }
  return next
}

export const pairText = (alert: Alert): string => `${alert.coin}/${alert.quoteCurrency}`
