// The holdings of live bots by their books, summed by asset or perpetual of an exchange account, and their comparison
// with what an exchange reports.
import * as Option from "effect/Option"
import type { ExchangeAccountId } from "../../../domain/Arming.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { baseOf, type MarketId, marketKey } from "../../../domain/Market.ts"
import type { Catalogue } from "../../Markets.ts"
import type { BotEntry } from "../Roster.ts"

/**
 * The bots' positions in one asset or perpetual on one exchange account: their sum (negative for a short), and whether
 * an order is under way.
 */
export interface Holding {
  readonly account: ExchangeAccountId
  readonly name: string
  readonly step: Decimal.Decimal
  sum: Decimal.Decimal
  isMoving: boolean
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
    for (const { exchange, kind, order, pair, position, stopEnding } of Object.values(slots)) {
      const market = { exchange, pair, kind }
      const name = kind === "spot" ? baseOf(pair) : marketKey(market)
      const key = `${live.account} ${name}`
      const holding = holdings.get(key) ?? emptyOf(live.account, name, stepOf(catalogue, market))
      holdings.set(key, holding)
      if (order !== undefined || stopEnding === true) holding.isMoving = true
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

/** Holdings that were too small at the last answer: one answer alone may have been given too early. */
export class Shortages {
  readonly #keys = new Set<string>()

  /** Forgets all that are not among these holdings. */
  keep(holdings: Holdings): void {
    for (const key of this.#keys) if (!holdings.has(key)) this.#keys.delete(key)
  }

  forget(key: string): void {
    this.#keys.delete(key)
  }

  /** Takes in an answer; whether it is certain: a shortage is once it comes for the second time in a row. */
  isCertain(key: string, isShort: boolean): boolean {
    const isSecond = this.#keys.has(key)
    if (isShort) this.#keys.add(key)
    else this.#keys.delete(key)
    return !isShort || isSecond
  }
}
