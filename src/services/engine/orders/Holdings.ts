// The holdings of live bots by their books, summed by asset or perpetual of an exchange account, and their comparison
// with what an exchange reports.
import * as Option from "effect/Option"
import type { ExchangeAccountId } from "../../../domain/Arming.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { baseOf, type MarketId, marketKey } from "../../../domain/Market.ts"
import type { OrderId } from "../../../domain/Order.ts"
import type { Catalogue } from "../../Markets.ts"
import type { BotEntry } from "../Roster.ts"

/**
 * The bots' positions in one asset or perpetual on one exchange account: their sum (negative for a short), whether an
 * order is under way, and the stops that rest at the exchange.
 */
export interface Holding {
  readonly account: ExchangeAccountId
  readonly name: string
  readonly step: Decimal.Decimal
  sum: Decimal.Decimal
  isMoving: boolean
  readonly stops: Array<OrderId>
  readonly holders: Array<{ readonly bot: BotEntry; readonly market: MarketId }>
}

/** The holdings of live bots, by account and name. */
export type Holdings = ReadonlyMap<string, Holding>

/** Sums up the positions of the live ones among these bots. */
export const holdingsOf = (bots: Iterable<BotEntry>, catalogue: Catalogue): Holdings => {
  const holdings = new Map<string, Holding>()
  for (const bot of bots) {
    const { live, slots } = bot.record.state
    if (live === undefined) continue
    for (const { exchange, kind, order, pair, position, stop, stopEnding } of Object.values(slots)) {
      const market = { exchange, pair, kind }
      const name = kind === "spot" ? baseOf(pair) : marketKey(market)
      const key = `${live.account} ${name}`
      const holding = holdings.get(key) ?? emptyOf(live.account, name, stepOf(catalogue, market))
      holdings.set(key, holding)
      if (order !== undefined || stopEnding === true) holding.isMoving = true
      if (stop !== undefined) holding.stops.push(stop.id)
      if (position === undefined) continue
      const { quantity, side } = position
      holding.sum = Decimal.add(holding.sum, side === "long" ? quantity : Decimal.negate(quantity))
      holding.holders.push({ bot, market })
    }
  }
  return holdings
}

const emptyOf = (account: ExchangeAccountId, name: string, step: Decimal.Decimal): Holding => ({
  account,
  name,
  step,
  sum: Decimal.zero,
  isMoving: false,
  stops: [],
  holders: []
})

const stepOf = (catalogue: Catalogue, market: MarketId): Decimal.Decimal =>
  Option.match(catalogue.market(market), {
    onNone: () => Decimal.zero,
    onSome: ({ amountStep }) => amountStep
  })

/** Whether at least one amount step is missing; for a short, whether the short is smaller than in the books. */
export const isShortOf = ({ step, sum }: Holding, found: Decimal.Decimal): boolean => {
  const missing = Decimal.isNegative(sum) ? Decimal.subtract(found, sum) : Decimal.subtract(sum, found)
  return Decimal.isPositive(missing) && Decimal.greaterThanOrEqualTo(missing, step)
}

/** Both amounts, for the log. */
export const comparison = ({ account, name, sum }: Holding, found: Decimal.Decimal): string =>
  `exchange account ${account}, ${name}: ${Decimal.toText(sum)} by the books, ${Decimal.toText(found)} at the exchange`

/**
 * How long after the first answer the second one counts (ms). Answers that had to wait, for the exchange or the database,
 * may come together, and both too early.
 */
const LEAST_APART_MS = 10_000

/** Holdings that were too small at the last answer: one answer alone may have been given too early. */
export class Shortages {
  /** When each was too small for the first time in a row (ms). */
  readonly #since = new Map<string, number>()

  /** Forgets all that are not among these holdings. */
  keep(holdings: Holdings): void {
    for (const key of this.#since.keys()) if (!holdings.has(key)) this.#since.delete(key)
  }

  forget(key: string): void {
    this.#since.delete(key)
  }

  /**
   * Takes in an answer of a time (ms); whether it is certain. A shortage is once a later answer says so too, and
   * `isExplained` does not say that orders may have caused it since its first answer (ms).
   */
  isCertain(
    key: string,
    isShort: boolean,
    now: number,
    isExplained: (since: number) => boolean = () => false
  ): boolean {
    if (!isShort) {
      this.forget(key)
      return true
    }
    const since = this.#since.get(key)
    if (since === undefined) this.#since.set(key, now)
    return since !== undefined && now - since >= LEAST_APART_MS && !isExplained(since)
  }
}
