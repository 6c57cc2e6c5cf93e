// The contract of `Exchange`: every error is a report, one id trades at most once, and a reported fill never changes.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Random from "effect/Random"
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { type Market, marketKey, Pair } from "../../domain/Market.ts"
import { type Order, OrderId } from "../../domain/Order.ts"
import { Exchange, type Report, type Ticket } from "../../services/Exchange.ts"
import { approve } from "../../trading/Risk.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { market as btc, fees, position } from "../Fixtures.ts"
import { pass } from "../VirtualClock.ts"

/** The market and amount of the suite's orders. */
export interface Setup {
  /** By default spot BTC/USDT on binance. */
  readonly market?: Market
  /** In the base asset, as decimal text. */
  readonly quantity?: string
  /** The market's approximate price, in quote. */
  readonly price?: number
  /**
   * The exchange finds an order as soon as its intent is stored, as paper trading does, even if it was never sent.
   */
  readonly takesIntents?: boolean
}

/**
 * The promises of `Exchange`, for an adapter with a market and a price of its own. Every error is a report; one id
 * trades once, however often it is sent; a reported fill never changes. An implementer reports `Unknown` where an answer
 * is missing or cannot be trusted, keeps `Rejected` for orders that will never trade, gives every fill of an order an id
 * of its own, and sends nothing when an order is looked up.
 */
export const suiteOf = ({ market = btc(), price = 60_000, quantity = "0.01", takesIntents }: Setup) =>
  Contract.suite<Exchange>("Exchange", (it) => {
    const ticket = (changes: Partial<Order> = {}) =>
      ticketOf(market, { quantity: Decimal.unsafeFromText(quantity), price, ...changes })

    it("a market order fills, with no more than the ordered quantity", () =>
      Effect.gen(function* () {
        const sent = yield* ticket()
        const { done, fills } = yield* filled(sent)
        expect(done).toBe(true)
        const sum = amountOf(fills)
        expect(Decimal.isPositive(sum)).toBe(true)
        expect(Decimal.greaterThan(sum, sent.order.quantity)).toBe(false)
      }))

    it("a fill has its order's market and side, and amounts that add up", () =>
      Effect.gen(function* () {
        const sent = yield* ticket()
        const { exchange, id, kind, pair, side } = sent.order
        for (const fill of (yield* filled(sent)).fills) {
          expect(fill).toMatchObject({ order: id, exchange, kind, pair, side })
          expect(Decimal.isPositive(fill.quantity)).toBe(true)
          expect(fill.price > 0 && fill.price < Number.POSITIVE_INFINITY).toBe(true)
          expect(Decimal.isNegative(fill.fee)).toBe(false)
          expect(Number.isInteger(fill.at)).toBe(true)
          const worth = Decimal.toNumber(fill.quantity) * fill.price
          // A fee in the coin bought reduces the quantity, not the notional.
          expect(Math.abs(Decimal.toNumber(fill.notional) / worth - 1)).toBeLessThanOrEqual(0.01)
        }
      }))

    it("every fill of an order has an id of its own, and never changes after it was reported", () =>
      Effect.gen(function* () {
        const { lookup } = yield* Exchange
        const sent = yield* ticket()
        const before = named((yield* filled(sent)).fills)
        for (let count = 0; count < 3; count++) {
          const again = yield* lookup(sent)
          if (again._tag === "Unknown") continue
          expect(again._tag).toBe("Filled")
          expect(again._tag === "Filled" && named(again.fills)).toEqual(before)
          yield* pass("1 minute")
        }
      }))

    it("an order that is sent again trades once", () =>
      Effect.gen(function* () {
        const { submit } = yield* Exchange
        const sent = yield* ticket()
        const { fills } = yield* filled(sent)
        expect((yield* submit(sent)).order).toBe(sent.order.id)
        yield* pass("1 minute")
        expect(named((yield* ended(sent)).fills)).toEqual(named(fills))
      }))

    it("an order that is sent twice at the same time trades once", () =>
      Effect.gen(function* () {
        const { submit } = yield* Exchange
        const sent = yield* ticket()
        yield* Effect.all([submit(sent), submit(sent)], { concurrency: "unbounded" })
        const sum = amountOf((yield* ended(sent)).fills)
        expect(Decimal.greaterThan(sum, sent.order.quantity)).toBe(false)
      }))

    it("an order that was never sent is missing, and looking it up sends nothing", () =>
      Effect.gen(function* () {
        const { lookup } = yield* Exchange
        const never = yield* ticket()
        const first = yield* lookup(never)
        yield* pass("1 minute")
        const second = yield* lookup(never)
        if (takesIntents === true) expect(fillsOf(second)).toEqual(fillsOf(first))
        else for (const { _tag } of [first, second]) expect(["Missing", "Unknown"].includes(_tag)).toBe(true)
      }))

    it("a report is about the order that was looked up", () =>
      Effect.gen(function* () {
        const { lookup, submit } = yield* Exchange
        const [one, other] = [yield* ticket(), yield* ticket()]
        for (const sent of [one, other]) expect((yield* submit(sent)).order).toBe(sent.order.id)
        for (const sent of [other, one]) {
          const report = yield* lookup(sent)
          expect(report.order).toBe(sent.order.id)
          for (const fill of fillsOf(report)) expect(fill.order).toBe(sent.order.id)
        }
      }))

    it("a limit order to sell fills at its price or better", () =>
      Effect.gen(function* () {
        yield* filled(yield* ticket())
        const limit = price / 2
        const sent = yield* ticket({ side: "sell", type: "limit", purpose: "exit", price: limit })
        for (const fill of (yield* filled(sent)).fills) expect(fill.price >= limit).toBe(true)
      }))

    it("an order that no exchange can take is reported, and breaks nothing", () =>
      Effect.gen(function* () {
        const { lookup, submit } = yield* Exchange
        const strange = { ...market, pair: Pair.make("NOSUCHCOIN/USDT") }
        const sent = yield* ticketOf(strange, { quantity: Decimal.unsafeFromText(quantity), price })
        expect((yield* submit(sent)).order).toBe(sent.order.id)
        expect((yield* lookup(sent)).order).toBe(sent.order.id)
        expect((yield* filled(yield* ticket())).done).toBe(true)
      }))
  })

/** The suite with its defaults: a hundredth of a bitcoin at the market. */
export const suite = suiteOf({})

const decimal = Decimal.unsafeFromText

/** An order that has passed the risk gate: an exchange accepts no other. */
const ticketOf = (market: Market, changes: Partial<Order>) =>
  Effect.gen(function* () {
    const id = yield* Random.nextIntBetween(0, 2 ** 31)
    const at = yield* Clock.currentTimeMillis
    const order: Order = {
      id: OrderId.make(`${at}-${id}-0`),
      exchange: market.exchange,
      pair: market.pair,
      kind: market.kind,
      position: "long",
      side: "buy",
      type: "market",
      quantity: decimal("1"),
      price: 1,
      purpose: "entry",
      reserved: decimal("0"),
      at,
      ...changes
    }
    const key = marketKey(order)
    return {
      order: Either.getOrThrow(approve(order, key, rich(order, key), { market: () => market })),
      fees: fees(),
      at
    }
  })

/** A bot with enough cash and positions for any order. */
const rich = ({ exchange, kind, pair, quantity }: Order, key: string): BotState => ({
  quote: "USDT",
  startingBalance: decimal("1000000"),
  cash: decimal("1000000"),
  baseline: decimal("1000000"),
  slots: { [key]: { exchange, pair, kind, position: position({ quantity }) } }
})

type Filled = Extract<Report, { readonly _tag: "Filled" }>

const MOST_QUESTIONS = 120

/** Sends an order, and queries it until it has filled. */
const filled = (ticket: Effect.Effect.Success<ReturnType<typeof ticketOf>>) =>
  Effect.flatMap(Exchange, ({ submit }) => Effect.zipRight(submit(ticket), ended(ticket)))

/** Queries an order until it has ended. */
const ended = Effect.fnUntraced(function* (ticket: Ticket<Order>) {
  const { lookup } = yield* Exchange
  const heard: Array<string> = []
  for (let count = 0; count < MOST_QUESTIONS; count++) {
    const report: Report = yield* lookup(ticket)
    expect(report.order).toBe(ticket.order.id)
    if (report._tag === "Filled" && report.done) return report satisfies Filled
    heard.push(report._tag)
    yield* pass("1 second")
  }
  throw new Error(`the order never filled; its reports were: ${[...new Set(heard)].join(", ")}`)
})

const fillsOf = (report: Report): ReadonlyArray<Fill> => (report._tag === "Filled" ? report.fills : [])

/** Fills by id; a repeated fill counts once. */
const named = (fills: ReadonlyArray<Fill>): ReadonlyArray<readonly [id: string, quantity: string]> =>
  [...new Map(fills.map((fill) => [fill.id, Decimal.toText(fill.quantity)]))].sort(([one], [other]) =>
    one < other ? -1 : 1
  )

/** The quantity filled (base). */
const amountOf = (fills: ReadonlyArray<Fill>): Decimal.Decimal =>
  Decimal.sum(named(fills).map(([, quantity]) => decimal(quantity)))
