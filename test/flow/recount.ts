// A bot's books a second time: from its fills alone, in fractions of whole numbers, and from its ledger.
import { expect } from "bun:test"
import { Effect } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import type { StrategyId } from "../../src/domain/StrategyId.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import * as Figures from "../lib/figures.ts"

/** A trade as fills show it. */
interface Counted {
  readonly openedAt: number
  readonly closedAt: number
  readonly cost: Figures.Fraction
  readonly fees: Figures.Fraction
  readonly back: Figures.Fraction
}

interface Holding {
  readonly side: Fill["side"]
  readonly openedAt: number
  quantity: Figures.Fraction
  notional: Figures.Fraction
  fees: Figures.Fraction
}

const exact = (value: Decimal.Decimal): Figures.Fraction => Figures.fraction(Decimal.toText(value))

interface Claimed {
  readonly openedAt: number
  readonly closedAt: number
  readonly exitReason: string
  readonly cost: string
  readonly fees: string
  readonly proceeds: string
  readonly pnl: string
}

/** Compares a bot's trades, cash and ledger with sums over its fills. */
export const recount = (strategy: StrategyId, trades: ReadonlyArray<Claimed>) =>
  Effect.gen(function* () {
    const portfolio = yield* Portfolio
    const bot = yield* portfolio.bot(strategy)
    if (bot === undefined) return expect(trades).toEqual([])
    const fills = yield* portfolio.fills(strategy)
    const { cash, done } = count(exact(bot.state.startingBalance), fills, trades)
    expect(done).toHaveLength(trades.length)
    for (const [index, claimed] of trades.entries()) {
      const counted = done[index]
      if (counted === undefined) continue
      expect([counted.openedAt, counted.closedAt]).toEqual([claimed.openedAt, claimed.closedAt])
      same(counted.cost, claimed.cost)
      same(counted.fees, claimed.fees)
      same(counted.back, claimed.proceeds)
      same(Figures.minus(counted.back, counted.cost), claimed.pnl)
    }
    same(cash, Decimal.toText(bot.state.cash))
    const ledger = yield* portfolio.ledger(strategy)
    for (const { lines } of ledger) {
      same(Figures.sum(lines.map(({ amount }) => exact(amount))), "0")
    }
    const ofAccount = (account: string) =>
      Figures.sum(
        ledger
          .flatMap(({ lines }) => lines)
          .filter((line) => line.account === account)
          .map(({ amount }) => exact(amount))
      )
    same(ofAccount("cash"), Decimal.toText(bot.state.cash))
    const feesOfFills = Figures.sum(fills.map(({ fee }) => exact(fee)))
    expect(Figures.compare(ofAccount("fees"), feesOfFills)).toBe(0)
  })

const count = (
  starting: Figures.Fraction,
  fills: ReadonlyArray<Fill>,
  trades: ReadonlyArray<Claimed>
): { readonly cash: Figures.Fraction; readonly done: ReadonlyArray<Counted> } => {
  const holdings = new Map<string, Holding>()
  const done: Array<Counted> = []
  let cash = starting
  for (const fill of fills) {
    const key = `${fill.exchange} ${fill.pair} ${fill.kind}`
    const holding = holdings.get(key)
    const [quantity, notional, fee] = [exact(fill.quantity), exact(fill.notional), exact(fill.fee)]
    same(Figures.times(quantity, Figures.fraction(plain(fill.price))), Decimal.toText(fill.notional))
    if (holding === undefined || holding.side === fill.side) {
      const held = holding ?? {
        side: fill.side,
        openedAt: fill.at,
        quantity: Figures.zero,
        notional: Figures.zero,
        fees: Figures.zero
      }
      held.quantity = Figures.plus(held.quantity, quantity)
      held.notional = Figures.plus(held.notional, notional)
      held.fees = Figures.plus(held.fees, fee)
      holdings.set(key, held)
      cash = Figures.minus(cash, Figures.plus(notional, fee))
      expect(Figures.compare(cash, Figures.zero)).toBeGreaterThanOrEqual(0)
      continue
    }
    expect(Figures.compare(quantity, holding.quantity)).toBe(0)
    const isLiquidated = trades[done.length]?.exitReason === "liquidation"
    const gross =
      holding.side === "buy"
        ? notional
        : Figures.minus(Figures.plus(holding.notional, holding.notional), notional)
    const back = isLiquidated ? Figures.zero : Figures.minus(gross, fee)
    cash = Figures.plus(cash, back)
    holdings.delete(key)
    done.push({
      openedAt: holding.openedAt,
      closedAt: fill.at,
      cost: Figures.plus(holding.notional, holding.fees),
      fees: Figures.plus(holding.fees, fee),
      back
    })
  }
  return { cash, done }
}

/** A price's digits without an exponent. */
const plain = (price: number): string => (String(price).includes("e") ? price.toFixed(20) : String(price))

const same = (counted: Figures.Fraction, claimed: string): void => {
  expect(`${Figures.compare(counted, Figures.fraction(claimed))} from ${claimed}`).toBe(`0 from ${claimed}`)
}
