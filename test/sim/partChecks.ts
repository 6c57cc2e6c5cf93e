// The invariants P1 to P7: parts, steps and turns sell what is held and no more, keep the money, and end on the right
// side.
import type { AlertType } from "../../src/domain/Alert.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { marketKey } from "../../src/domain/Market.ts"
import type { Order } from "../../src/domain/Order.ts"
import type { Position } from "../../src/domain/Position.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import type { Ticker } from "../../src/domain/Ticker.ts"
import { exitFillsOf, type Trade } from "../../src/domain/Trade.ts"
import type { Books, BotRow } from "./Books.ts"
import type { World } from "./World.ts"

/** What rounding may leave of a trade (in quote): under a market's minimum. */
const DUST = 105
/** How far (as a share) a price must be beyond a level; closer may be rounding. */
const CLEAR = 1e-3
/** The share of what is held that counts as all of it: a rest under the market's step cannot be sold. */
const ALL = 0.99
/** A position so large (in quote) that no step of it is under a minimum. */
const LARGE = 1_500

export class PartChecks {
  readonly #world: World
  readonly #books: Books
  /** By position: the last order for a step, and which one. */
  readonly #stepped = new Map<string, { readonly id: string; readonly step: number }>()

  constructor(world: World, books: Books) {
    this.#world = world
    this.#books = books
  }

  /** P1: an exit sells at most what is held. */
  submitted({ state, strategy }: BotRow, order: Order): void {
    const position = state.slots[marketKey(order)]?.position
    if (order.purpose !== "exit" || position === undefined) return
    if (Decimal.greaterThan(order.quantity, position.quantity))
      this.#world.fail(
        "P1",
        `strategy ${strategy} sells ${Decimal.toText(order.quantity)}, and holds ${Decimal.toText(position.quantity)}`
      )
  }

  /**
   * P5: a step closes its percentage of all that was entered, or all that is left. P6: each step of the strategy's own is
   * filled once.
   */
  step({ state, strategy }: BotRow, order: Order): void {
    const position = state.slots[marketKey(order)]?.position
    const { exitReason, id, quantity, step } = order
    if (position === undefined || step === undefined || exitReason !== "take_profit") return
    const key = `${strategy} ${marketKey(order)} ${position.openedAt}`
    const last = this.#stepped.get(key)
    if (last !== undefined && step <= last.step && this.#world.venue.fillsOf(last.id).length > 0)
      this.#world.fail("P6", `strategy ${strategy} fills step ${step} again, after step ${last.step}`)
    this.#stepped.set(key, { id, step })
    const own = this.#books.settings("WHERE id = ?", strategy).get(strategy)?.takeProfitSteps?.[step - 1]
    const least = (Decimal.toNumber(position.entryQuantity) * (own?.closePercent ?? 0)) / 100
    const sold = Decimal.toNumber(quantity)
    const isAll = sold >= ALL * Decimal.toNumber(position.quantity)
    if (sold * order.price > LARGE / 4 && sold < 0.8 * least && !isAll)
      this.#world.fail("P5", `strategy ${strategy} sells ${sold} in step ${step}, and should ${least}`)
  }

  /** P7: what turned has ordered its entry, waits for it, or says why not. */
  finally(): void {
    const turned = this.#world.disk.rows<{ alert: number; strategy: number }>(
      `SELECT alert_id AS alert, strategy_id AS strategy FROM outcomes WHERE reason = 'turned'
       AND NOT EXISTS (SELECT 1 FROM timeline WHERE timeline.strategy_id = outcomes.strategy_id
         AND timeline.at >= outcomes.at AND rule IN ('turn_dropped', 'entry_cancelled', 'entry_dropped'))`
    )
    const came = new Set(this.#books.orders().map(({ order, strategy }) => `${strategy} ${order.alert}`))
    for (const { state, strategy } of this.#books.bots())
      for (const { trailingBuy } of Object.values(state.slots))
        if (trailingBuy !== undefined) came.add(`${strategy} ${trailingBuy.alert}`)
    for (const { alert, strategy } of turned)
      if (!came.has(`${strategy} ${alert}`))
        this.#world.fail("P7", `strategy ${strategy} turned at alert ${alert}, and nothing came of its entry`)
  }

  /** P2: a trade's exits add up to what was entered, and its money to theirs. */
  anytime(): void {
    for (const { strategy, trade } of this.#books.trades()) {
      const flaw = tradeFlaw(trade)
      if (flaw !== undefined) return this.#world.fail("P2", `a trade of strategy ${strategy}: ${flaw}`)
    }
  }

  /** P3: a position is on the side that the alert behind it asked for. P4: the price has not passed its next step. */
  calm(): void {
    const types = new Map(
      this.#world.disk
        .rows<{ id: number; type: AlertType }>("SELECT id, type FROM alerts")
        .map(({ id, type }) => [id, type])
    )
    const settings = this.#books.settings()
    for (const { state, strategy } of this.#books.bots())
      for (const [key, { astray, order, position, retry, ...market }] of Object.entries(state.slots)) {
        if (position === undefined) continue
        const type = types.get(position.openedBy)
        const side = type === "short" ? "short" : "long"
        if (type !== undefined && position.side !== side)
          this.#world.fail("P3", `strategy ${strategy} is ${position.side} on ${key}, and was told ${type}`)
        const own = settings.get(strategy)
        const ticker = this.#world.prices.fresh(market)
        if (own === undefined || ticker === undefined || (order ?? retry ?? astray) !== undefined) continue
        const passed = state.closing === undefined ? passedStep(position, own, ticker) : undefined
        if (passed !== undefined)
          this.#world.fail("P4", `strategy ${strategy} holds ${key} though the price passed its ${passed}`)
      }
  }
}

/** What is wrong with the sums of a trade, if anything. */
export const tradeFlaw = (trade: Trade): string | undefined => {
  const { exitReason, exits = 1, fees, pnl, quantity, side } = trade
  const exitFills = exitFillsOf(trade)
  if (exits !== exitFills.length) return `it counts ${exits} exits and lists ${exitFills.length}`
  const isForgotten = exitReason === "written_off"
  if (!isForgotten && exitFills.at(-1)?.reason !== exitReason)
    return `it ended by ${exitReason}, its last exit by another`
  const sold = Decimal.sum(exitFills.map((fill) => fill.quantity))
  const left = Decimal.toNumber(Decimal.subtract(quantity, sold))
  if (left < 0 || left * trade.exitPrice > DUST)
    return `of ${Decimal.toText(quantity)} it sold ${Decimal.toText(sold)}`
  if (left > 0 || isForgotten || exitFills.some(({ reason }) => reason === "liquidation")) return undefined
  const came = exitFills.reduce((sum, fill) => sum + fill.price * Decimal.toNumber(fill.quantity), 0)
  const went = trade.entryPrice * Decimal.toNumber(quantity)
  const gross = side === "long" ? came - went : went - came
  const said = Decimal.toNumber(Decimal.add(pnl, fees))
  return Math.abs(said - gross) > 1e-6 * went
    ? `its fills make ${gross} before fees, and it says ${said}`
    : undefined
}

/** The step, ladder or break even that a price has clearly passed. */
const passedStep = (position: Position, own: Settings, { ask, bid }: Ticker): string | undefined => {
  const { basis, breakEven, ladder, quantity, side, stepsDone = 0, tp } = position
  const price = side === "long" ? bid : ask
  const way = side === "long" ? 1 : -1
  const average = Decimal.toNumber(basis) / Decimal.toNumber(quantity)
  const isShortOf = (level: number) => way * (level - price) > CLEAR * level
  const fee = 2 * (own.takerFeePercent ?? 0.1)
  const isBeyond = (level: number) => way * (price - level) > CLEAR * level
  if (breakEven === true && isShortOf(average * (1 + (way * fee) / 100)))
    return `break even, entered at ${average}`
  if (Decimal.toNumber(quantity) * price < LARGE || tp !== undefined) return undefined
  if (ladder !== undefined) {
    const next = ladder.steps[ladder.done]
    return next !== undefined && isBeyond(next.price) ? `target at ${next.price}` : undefined
  }
  const step = own.takeProfitSteps?.[stepsDone]
  // The fees of the way in and out are at most 1.3 percent here.
  const level = step === undefined ? undefined : average * (1 + (way * (step.profitPercent + 1.3)) / 100)
  return level !== undefined && isBeyond(level) ? `step at ${step?.profitPercent} %` : undefined
}
