// The invariants L1 to L4: price levels that were passed, and decisions that do not end.
import * as Decimal from "../../src/domain/Decimal.ts"
import { marketKey } from "../../src/domain/Market.ts"
import type { ExitReason, Order } from "../../src/domain/Order.ts"
import { costOf, type Position } from "../../src/domain/Position.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import type { Ticker } from "../../src/domain/Ticker.ts"
import type { Books, BotRow } from "./Books.ts"
import type { World } from "./World.ts"

/** How far (as a share) a price must be beyond a level; closer may be rounding. */
const CLEAR = 1e-3

/** Exits that somebody asked for, which no rule decides. */
const ASKED_FOR: ReadonlySet<ExitReason> = new Set(["signal", "manual", "disarmed", "strategy_deleted"])

/** The most timeline entries of one moment: a bot decides at most 1,000 times for an event. */
const MOST_AT_ONCE = 1_100

export class LevelChecks {
  readonly #world: World
  readonly #books: Books

  constructor(world: World, books: Books) {
    this.#world = world
    this.#books = books
  }

  /** L4: a short on paper that has lost its margin is liquidated, whatever other rule would close it. */
  submitted({ state }: BotRow, { exitReason, id, price, ...market }: Order): void {
    const position = state.slots[marketKey(market)]?.position
    if (exitReason === undefined || market.live !== undefined || ASKED_FOR.has(exitReason)) return
    if (position?.side !== "short" || market.kind !== "swap" || market.purpose !== "exit") return
    const level = liquidationOf(position)
    if (price >= level && market.type === "market" && exitReason !== "liquidation")
      this.#world.fail(
        "L4",
        `order ${id} closes a short by ${exitReason} at ${price}, beyond its margin at ${level}`
      )
  }

  /** What must hold at any moment. */
  anytime(): void {
    this.#order()
    const [much] = this.#world.disk.rows<{ strategy: number; count: number }>(
      "SELECT strategy_id AS strategy, count(*) AS count FROM timeline GROUP BY strategy_id, at HAVING count(*) > ?",
      MOST_AT_ONCE
    )
    if (much !== undefined)
      this.#world.fail("L2", `strategy ${much.strategy} decided ${much.count} times at one moment`)
  }

  /** L1: an exit whose level was passed has acted, whoever shares the market; at once when calm. */
  calm(): void {
    const settings = this.#books.settings()
    for (const row of this.#books.bots()) {
      const own = settings.get(row.strategy)
      if (own !== undefined && row.state.closing === undefined) this.#bot(row, own)
    }
  }

  #bot({ state, strategy }: BotRow, settings: Settings): void {
    for (const [key, slot] of Object.entries(state.slots)) {
      const { astray, order, position, retry, stop } = slot
      const ticker = this.#world.prices.fresh(slot)
      if (position === undefined || ticker === undefined) continue
      if ((order ?? retry ?? astray) !== undefined) continue
      const level =
        (stop === undefined ? passedStop(position, settings, ticker) : undefined) ??
        passedTarget(position, settings, ticker, this.#feeOf(settings))
      if (level !== undefined)
        this.#world.fail("L1", `strategy ${strategy} holds ${key} though the price passed its ${level}`)
    }
  }

  /** The higher fee as a fraction: above this world's exchange fee, unless the strategy sets one. */
  #feeOf({ makerFeePercent = 0.1, takerFeePercent = 0.1 }: Settings): number {
    return Math.max(makerFeePercent, takerFeePercent) / 100
  }

  /** L3: a balance rule closes positions in the order of the strategy's pairs, spot before swap. */
  #order(): void {
    const settings = this.#books.settings()
    const last = new Map<string, number>()
    for (const { order, strategy } of this.#books.orders("ORDER BY sequence")) {
      const pairs = settings.get(strategy)?.exchanges.flatMap((it) => it.pairs)
      if (pairs === undefined || order.exitReason?.startsWith("balance") !== true) continue
      const rank = 2 * pairs.indexOf(order.pair) + (order.kind === "spot" ? 0 : 1)
      const event = `${strategy} ${order.at} ${order.id.split("-")[1]}`
      if (rank < (last.get(event) ?? 0))
        return this.#world.fail(
          "L3",
          `strategy ${strategy} closed ${order.pair} ${order.kind} too late in its order`
        )
      last.set(event, rank)
    }
  }
}

/** Where a short's loss reaches its margin. */
const liquidationOf = ({ basis, quantity }: Position): number =>
  (2 * Decimal.toNumber(basis)) / Decimal.toNumber(quantity)

const passedStop = (position: Position, { stopLoss }: Settings, { ask, bid }: Ticker): string | undefined => {
  const { basis, quantity, side, sl } = position
  const average = Decimal.toNumber(basis) / Decimal.toNumber(quantity)
  const distance = stopLoss === undefined ? undefined : stopLoss.percent / 100
  if (side === "long") {
    const level = sl ?? (distance === undefined ? 0 : average * (1 - distance))
    return bid < level * (1 - CLEAR) ? `stop at ${level}` : undefined
  }
  const level = Math.min(
    liquidationOf(position),
    sl ?? (distance === undefined ? Infinity : average * (1 + distance))
  )
  return ask > level * (1 + CLEAR) ? `stop at ${level}` : undefined
}

const passedTarget = (
  position: Position,
  { minProfitPercent, takeProfitSteps, trailingSell }: Settings,
  { ask, bid }: Ticker,
  fee: number
): string | undefined => {
  const { entryFees, entryNotional, exitQuantity, ladder, quantity, side, tp } = position
  const price = side === "long" ? bid : ask
  const isBeyond = (level: number) =>
    side === "long" ? price > level * (1 + CLEAR) : price < level * (1 - CLEAR)
  if (tp !== undefined) return isBeyond(tp) ? `target at ${tp}` : undefined
  // Steps and ladders take its place: `PartChecks` looks at them.
  if ((ladder ?? takeProfitSteps ?? trailingSell) !== undefined) return undefined
  if (minProfitPercent === undefined || Decimal.isPositive(exitQuantity)) return undefined
  const worth = Decimal.toNumber(quantity) * price
  const entered = Decimal.toNumber(entryNotional)
  const gain = side === "long" ? worth - entered : entered - worth
  const net = gain - worth * fee - Decimal.toNumber(entryFees)
  const percent = (100 * net) / Decimal.toNumber(costOf(position))
  return percent > minProfitPercent + 100 * CLEAR ? `profit of ${minProfitPercent} %` : undefined
}
