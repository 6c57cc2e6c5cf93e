// What becomes of an order at each of the seven: how it is sent, what is told of it, and what goes wrong.
import { describe, expect, setSystemTime, test } from "bun:test"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import { EXCHANGE_NAMES, type KnownExchange, Pair } from "../../src/domain/Market.ts"
import { type Order, OrderId } from "../../src/domain/Order.ts"
import { Exchange, type Report, type Ticket } from "../../src/services/Exchange.ts"
import { fees } from "../../src/testing/Fixtures.ts"
import type { Order as StubOrder } from "../exchanges/private/Order.ts"
import { privates } from "../exchanges/private/privates.ts"
import type { Trouble } from "../exchanges/private/Trouble.ts"
import { protocols } from "../exchanges/protocols.ts"
import { Stub } from "../exchanges/Stub.ts"
import { ACCOUNT, isSwapper, liveOn, SPOT, SWAP, seal } from "./lib.ts"

const BNB = { ...SPOT, pair: Pair.make("BNB/USDT"), amountStep: "0.001", minAmount: "0.001" }

/** An exchange with an account, and a way to trade there. */
class Bench {
  readonly name: KnownExchange
  readonly stub: Stub
  readonly state = { isRemoved: false }
  readonly #requestMs: number
  #runtime: ManagedRuntime.ManagedRuntime<Exchange, never>
  #number = 0

  private constructor(name: KnownExchange, stub: Stub, requestMs: number) {
    this.name = name
    this.stub = stub
    this.#requestMs = requestMs
    this.#runtime = this.#made()
  }

  readonly #made = () =>
    ManagedRuntime.make(liveOn(this.name, this.stub, { state: this.state, requestMs: this.#requestMs }))

  /** Nothing is remembered of before. */
  readonly restart = async (): Promise<void> => {
    await this.#runtime.dispose()
    this.#runtime = this.#made()
    await this.#runtime.runtime()
  }

  /** A small stop that is far away; every other one is taken back at once. */
  readonly placeByHand = (place: number): void => {
    const { book } = this.stub.desk
    const order = book.place({
      ...{ market: SPOT, side: "sell", type: "limit", amount: Decimal.unsafeFromText("0.0005") },
      price: Decimal.unsafeFromText("20000"),
      trigger: { price: Decimal.unsafeFromText("20000"), rising: false },
      clientId: `hand${place}`
    })
    if (place % 2 === 1) book.cancel(order)
  }

  /** Stub and client share an event loop: a request is given up soon only where that is what is tried. */
  static readonly start = async (name: KnownExchange, requestMs = 5000): Promise<Bench> => {
    const stub = await Stub.start(protocols[name], [SPOT, BNB, ...(isSwapper(name) ? [SWAP] : [])])
    for (const [asset, amount] of [
      ["USDT", "1000000"],
      ["BTC", "10"],
      ["BNB", "100"]
    ] as const)
      stub.desk.book.funds.set(asset, amount)
    for (const market of [SPOT, ...(isSwapper(name) ? [SWAP] : [])]) stub.quote(market, QUOTE)
    stub.quote(BNB, { bid: 599, ask: 601, last: 600 })
    const bench = new Bench(name, stub, requestMs)
    // Orders of before its start are never sent.
    await bench.#runtime.runtime()
    return bench
  }

  async [Symbol.asyncDispose]() {
    await this.#runtime.dispose()
    await this.stub.stop()
  }

  readonly ticket = (changes: Partial<Order> = {}): Ticket => {
    const order: Order = {
      id: OrderId.make(`1-${++this.#number}-0`),
      ...{
        exchange: this.name,
        pair: SPOT.pair,
        kind: "spot",
        position: "long",
        side: "buy",
        type: "market"
      },
      ...{
        quantity: Decimal.unsafeFromText("0.01"),
        price: 60_005,
        purpose: "entry",
        reserved: Decimal.zero
      },
      ...{ live: { account: ACCOUNT, tag: "0123456789abcdef" }, at: Date.now() },
      ...changes
    }
    return { order: seal(order), fees: fees(), at: order.at }
  }

  readonly ask = (what: "submit" | "lookup" | "cancel", ticket: Ticket): Promise<Report> =>
    this.#runtime.runPromise(
      Effect.flatMap(Exchange, (exchange) => exchange[what]?.(ticket) ?? Effect.die("it cannot cancel"))
    )

  get orders(): ReadonlyArray<StubOrder> {
    return this.stub.desk.book.orders
  }
  get first(): StubOrder {
    const [first] = this.orders
    if (first === undefined) throw new Error("no order")
    return first
  }
}

const QUOTE = { bid: 60_000, ask: 60_010, last: 60_005 }
const sell: Partial<Order> = { side: "sell", purpose: "exit" }
const stop: Partial<Order> = { ...sell, type: "stop", price: 55_000 }
const filled = (report: Report): ReadonlyArray<Fill> => (report._tag === "Filled" ? report.fills : [])
const sum = (values: ReadonlyArray<Decimal.Decimal>): string => Decimal.toText(Decimal.sum(values))

for (const name of EXCHANGE_NAMES)
  describe(`orders at ${name}`, () => {
    const isBase = privates[name].policy.fees === "received"

    test("an entry fills at once, and reports what arrived and what it cost", async () => {
      await using bench = await Bench.start(name)
      const report = await bench.ask("submit", bench.ticket())
      expect(report).toMatchObject({ _tag: "Filled", done: true })
      const fills = filled(report)
      // Both together are what left the account, whichever asset the fee was in.
      expect(sum(fills.flatMap(({ fee, notional }) => [fee, notional]))).toBe(isBase ? "600.1" : "601.3002")
      expect(sum(fills.map(({ quantity }) => quantity))).toBe(isBase ? "0.00998" : "0.01")
      expect(fills.map(({ paid }) => paid?.asset)).toEqual([isBase ? "BTC" : undefined])
      expect(bench.orders.length).toBe(1)
    })

    test("an entry with the whole balance fills, reduced by what the exchange locks", async () => {
      await using bench = await Bench.start(name)
      const { funds } = bench.stub.desk.book
      // To the last cent what was decided, at the price of the decision and with the fee.
      funds.set("USDT", "601.351501")
      const ticket = bench.ticket({ price: 60_015 })
      const report = await bench.ask("submit", ticket)
      expect(report).toMatchObject({ _tag: "Filled", done: true })
      const isCut = name === "coinbase" || name === "bitget"
      expect(Decimal.toText(bench.first.amount)).toBe(isCut ? "0.0099" : "0.01")
      expect(report._tag === "Filled" && report.cut !== undefined && Decimal.toText(report.cut)).toBe(
        isCut ? "0.0099" : false
      )
      expect(bench.orders.length).toBe(1)
    })

    test("an entry that the account cannot pay for is rejected, and not sent smaller", async () => {
      await using bench = await Bench.start(name)
      bench.stub.desk.book.funds.set("USDT", "599")
      const report = await bench.ask("submit", bench.ticket())
      expect(report).toMatchObject({ _tag: "Rejected", reason: "there is not enough money in the account" })
      expect(bench.orders).toEqual([])
    })

    test("an exit of more than is left sells what is left", async () => {
      await using bench = await Bench.start(name)
      bench.stub.desk.book.funds.set("BTC", "0.00987")
      const report = await bench.ask("submit", bench.ticket(sell))
      expect(report).toMatchObject({ _tag: "Filled", done: true })
      expect(sum(filled(report).map(({ quantity }) => quantity))).toBe("0.0098")
      bench.stub.desk.book.funds.set("BTC", "0")
      expect(await bench.ask("submit", bench.ticket(sell))).toMatchObject({ _tag: "Rejected" })
    })

    test("a rest below one step is not sold", async () => {
      await using bench = await Bench.start(name)
      const quantity = Decimal.unsafeFromText("0.00998")
      const report = await bench.ask("submit", bench.ticket({ ...sell, quantity }))
      expect(sum(filled(report).map(({ quantity }) => quantity))).toBe("0.0099")
      const dust = bench.ticket({ ...sell, quantity: Decimal.unsafeFromText("0.00009") })
      expect(await bench.ask("submit", dust)).toMatchObject({
        ...{ _tag: "Rejected", reason: "it is less than the market's smallest step" }
      })
    })

    test("a take profit with too little liquidity fills in part, and the rest is cancelled", async () => {
      await using bench = await Bench.start(name)
      bench.stub.desk.book.supply(SPOT, "0.004")
      const report = await bench.ask("submit", bench.ticket({ ...sell, type: "limit", price: 59_990 }))
      expect(report).toMatchObject({ _tag: "Filled", done: true })
      expect(sum(filled(report).map(({ quantity }) => quantity))).toBe("0.004")
      const none = await bench.ask("submit", bench.ticket({ ...sell, type: "limit", price: 61_000 }))
      expect(none).toMatchObject({ _tag: "Filled", fills: [], done: true })
    })

    test("an order with more trades than a page is done when all are reported", async () => {
      await using bench = await Bench.start(name)
      bench.stub.desk.book.most = "0.0001"
      const quantity = name === "binance" || name === "coinbase" ? "0.1201" : "0.0261"
      const ticket = bench.ticket({ ...sell, quantity: Decimal.unsafeFromText(quantity) })
      await bench.ask("submit", ticket)
      const report = await bench.ask("lookup", ticket)
      expect(report).toMatchObject({ _tag: "Filled", done: true })
      expect(filled(report).length).toBe(Number(quantity) * 10_000)
      expect(sum(filled(report).map(({ quantity }) => quantity))).toBe(quantity)
    }, 30_000)

    test("late and repeated fills are waited for and count once", async () => {
      await using bench = await Bench.start(name)
      const { book } = bench.stub.desk
      book.lateFillsMs = 3_600_000
      book.doubleFills = true
      const ticket = bench.ticket(sell)
      const first = await bench.ask("submit", ticket)
      expect(first).not.toMatchObject({ done: true })
      const { fills } = bench.first
      fills.splice(0, fills.length, ...fills.map((fill) => ({ ...fill, visibleFrom: fill.at })))
      const last = await bench.ask("lookup", ticket)
      expect(last).toMatchObject({ _tag: "Filled", done: true })
      expect(filled(last).length).toBe(1)
    })

    test("fees in another asset are reported at its rate, or not at all", async () => {
      await using bench = await Bench.start(name)
      bench.stub.desk.book.feesIn = { asset: "BNB", worth: "600" }
      const report = await bench.ask("submit", bench.ticket())
      // Two say nothing of the asset: the library takes it for the quote.
      if (name === "kraken" || name === "coinbase") return
      expect(filled(report)).toMatchObject([{ paid: { asset: "BNB" } }])
      expect(sum(filled(report).map(({ fee }) => fee))).toMatch(/^1.2001999999|^1.2002$/)
      expect(sum(filled(report).map(({ quantity }) => quantity))).toBe("0.01")
      bench.stub.desk.book.feesIn = { asset: "XYZ", worth: "1" }
      const strange = bench.ticket()
      expect(await bench.ask("submit", strange)).toMatchObject({ _tag: "Accepted" })
      expect(await bench.ask("lookup", strange)).toMatchObject({ _tag: "Unknown" })
    })

    test("a fee in the bought coin reduces what arrived", async () => {
      // Two say nothing of the asset: the library takes it for the quote.
      if (name === "kraken" || name === "coinbase") return
      await using bench = await Bench.start(name)
      const { book } = bench.stub.desk
      book.feesIn = { asset: "BNB", worth: "600" }
      const order = { pair: BNB.pair, price: 600, quantity: Decimal.unsafeFromText("2") }
      const arrived = sum(filled(await bench.ask("submit", bench.ticket(order))).map((it) => it.quantity))
      expect(arrived).toBe(Decimal.toText(Decimal.subtract(book.funds.total("BNB"), Decimal.hundred)))
    })

    test("a stop rests, is cancelled, and triggers", async () => {
      await using bench = await Bench.start(name)
      const ticket = bench.ticket(stop)
      expect(await bench.ask("submit", ticket)).toMatchObject({ _tag: "Accepted" })
      expect([bench.first.status, bench.first.ticket.side]).toEqual(["waiting", "sell"])
      expect(await bench.ask("lookup", ticket)).toMatchObject({ _tag: "Accepted" })
      expect(await bench.ask("cancel", ticket)).toMatchObject({ _tag: "Filled", fills: [], done: true })
      expect(await bench.ask("cancel", ticket)).toMatchObject({ _tag: "Filled", fills: [], done: true })
      const moved = bench.ticket({ ...stop, price: 56_000 })
      expect(await bench.ask("submit", moved)).toMatchObject({ _tag: "Accepted" })
      bench.stub.quote(SPOT, { bid: 55_990, ask: 56_000, last: 55_995 })
      const gone = await bench.ask("lookup", moved)
      expect(gone).toMatchObject({ _tag: "Filled", done: true })
      expect(filled(gone)).toMatchObject([{ price: 55_990, side: "sell" }])
      // What went off before it could be taken back is told by its fills.
      expect(await bench.ask("cancel", moved)).toMatchObject({ _tag: "Filled", done: true })
    })

    test("an order that is on no first page is found, also after a restart", async () => {
      await using bench = await Bench.start(name)
      const ticket = bench.ticket(stop)
      expect(await bench.ask("submit", ticket)).toMatchObject({ _tag: "Accepted" })
      // The account's owner has many orders of their own, open and done.
      for (let place = 0; place < (name === "coinbase" ? 1100 : 250); place++) bench.placeByHand(place)
      await bench.restart()
      expect(await bench.ask("lookup", ticket)).toMatchObject({ _tag: "Accepted" })
      bench.stub.quote(SPOT, { bid: 54_000, ask: 54_010, last: 54_005 })
      await bench.restart()
      expect(await bench.ask("lookup", ticket)).toMatchObject({ _tag: "Filled", done: true })
    }, 60_000)

    if (isSwapper(name))
      test("a perpetual is entered at 1x with isolated margin, stopped and closed", async () => {
        await using bench = await Bench.start(name)
        const { positions } = bench.stub.desk.book
        const short: Partial<Order> = { kind: "swap", position: "short", side: "sell" }
        const entered = await bench.ask("submit", bench.ticket(short))
        expect(entered).toMatchObject({ _tag: "Filled", done: true })
        expect(sum(filled(entered).map(({ quantity }) => quantity))).toBe("0.01")
        expect(positions.setting(SWAP).leverage).toBe(1)
        expect(Decimal.toNumber(positions.of(SWAP).margin)).toBe(600)
        const guard = bench.ticket({ ...short, side: "buy", purpose: "exit", type: "stop", price: 65_000 })
        expect(await bench.ask("submit", guard)).toMatchObject({ _tag: "Accepted" })
        expect(bench.orders.at(-1)?.ticket.trigger?.rising).toBe(true)
        expect(await bench.ask("cancel", guard)).toMatchObject({ _tag: "Filled", fills: [], done: true })
        const closed = await bench.ask("submit", bench.ticket({ ...short, side: "buy", purpose: "exit" }))
        expect(closed).toMatchObject({ _tag: "Filled", done: true })
        expect(positions.all).toEqual([])
        expect(bench.orders.at(-1)?.ticket.reduceOnly).toBe(true)
        expect(bench.stub.desk.count("leverage")).toBeLessThanOrEqual(2)
      })

    if (isSwapper(name))
      test("an open perpetual is added to after a restart, although its margin cannot be set then", async () => {
        await using bench = await Bench.start(name)
        const { positions } = bench.stub.desk.book
        const long: Partial<Order> = { kind: "swap" }
        await bench.ask("submit", bench.ticket(long))
        const guard = bench.ticket({ ...long, ...stop, price: 55_000 })
        expect(await bench.ask("submit", guard)).toMatchObject({ _tag: "Accepted" })
        await bench.restart()
        const more = bench.ticket({ ...long, purpose: "dca" })
        expect(await bench.ask("submit", more)).toMatchObject({ _tag: "Filled", done: true })
        expect(Decimal.toText(positions.of(SWAP).amount)).toBe("0.02")
        // Somebody has it at 20x by now: nothing is entered there any more, and everything is left.
        positions.set(SWAP, { leverage: 20, mode: "cross" })
        await bench.restart()
        if (name !== "bybit" && name !== "kucoin" && name !== "binance" && name !== "bitget") return
        const last = bench.ticket({ ...long, ...sell, quantity: Decimal.unsafeFromText("0.02") })
        expect(await bench.ask("submit", last)).toMatchObject({ _tag: "Filled", done: true })
      })

    if (isSwapper(name))
      test("a perpetual's stop triggers and reports its fills", async () => {
        await using bench = await Bench.start(name)
        const long: Partial<Order> = { kind: "swap" }
        await bench.ask("submit", bench.ticket(long))
        const guard = bench.ticket({ ...long, ...stop, price: 55_000 })
        expect(await bench.ask("submit", guard)).toMatchObject({ _tag: "Accepted" })
        bench.stub.quote(SWAP, { bid: 54_990, ask: 55_000, last: 54_995 })
        expect(await bench.ask("lookup", guard)).toMatchObject({ _tag: "Filled", done: true })
        await bench.restart()
        const told = await bench.ask("lookup", guard)
        expect(filled(told)).toMatchObject([{ price: 54_990, side: "sell" }])
        expect(bench.stub.desk.book.positions.all).toEqual([])
      })

    test("whatever happens to a sent order, it is never called rejected while it exists", async () => {
      await using bench = await Bench.start(name, 200)
      const { book, troubles } = bench.stub.desk
      for (const trouble of TROUBLES) {
        const before = book.orders.length
        troubles.plan("place", trouble)
        const ticket = bench.ticket(sell)
        const report = await bench.ask("submit", ticket)
        troubles.clear()
        // It may still be on its way.
        if (trouble.how === "delay") await Bun.sleep(trouble.ms)
        // A look that is given up as soon, because the machine paused, tells nothing.
        let told = await bench.ask("lookup", ticket)
        for (let looks = 1; looks < 10 && told._tag === "Unknown"; looks++)
          told = await bench.ask("lookup", ticket)
        const isThere = book.orders.length > before
        if (isThere) expect(report._tag).not.toBe("Rejected")
        if (report._tag !== "Rejected")
          expect(told).toMatchObject(isThere ? { done: true } : { _tag: "Missing" })
        // Sent again, it is only looked for.
        if (report._tag !== "Rejected") await bench.ask("submit", ticket)
        expect(book.orders.length).toBe(before + (isThere ? 1 : 0))
      }
    }, 20_000)

    test("a clock that jumped costs no order: it is measured and the order is sent once more", async () => {
      await using bench = await Bench.start(name)
      await bench.ask("submit", bench.ticket())
      for (const skewMs of [name === "okx" ? -120_000 : 120_000]) {
        bench.stub.desk.skewMs = skewMs
        const before = bench.orders.length
        expect(await bench.ask("submit", bench.ticket())).toMatchObject({ _tag: "Filled", done: true })
        expect(bench.orders.length).toBe(before + 1)
      }
    })

    test("a removed account accepts nothing, and its sent orders stay unknown", async () => {
      await using bench = await Bench.start(name)
      const ticket = bench.ticket()
      await bench.ask("submit", ticket)
      bench.state.isRemoved = true
      expect(await bench.ask("lookup", ticket)).toMatchObject({ _tag: "Unknown" })
      expect(await bench.ask("submit", bench.ticket())).toMatchObject({
        ...{ _tag: "Rejected", reason: "the exchange account was removed" }
      })
      expect(bench.orders.length).toBe(1)
    })
  })

const TROUBLES: ReadonlyArray<Trouble> = (["before", "after"] as const).flatMap((when) => [
  ...(["cut", "hang", "truncated", "nonsense", "empty"] as const).map((how) => ({ how, when })),
  ...([500, 504, 400] as const).map((status) => ({ how: "status", when, status }) as const),
  { how: "delay", when, ms: 400 } as const
])

test("an order decided before this run is looked up and never sent", async () => {
  await using bench = await Bench.start("binance")
  const old = bench.ticket({ at: Date.now() - 60_000 })
  expect(await bench.ask("submit", old)).toMatchObject({ _tag: "Missing" })
  expect(bench.orders.length).toBe(0)
})

test("an order decided after the clock was set back is still sent", async () => {
  await using bench = await Bench.start("binance")
  setSystemTime(Date.now() - 3_600_000)
  try {
    expect(await bench.ask("submit", bench.ticket())).toMatchObject({ _tag: "Filled", done: true })
    const old = bench.ticket({ at: Date.now() - 60_000 })
    expect(await bench.ask("submit", old)).toMatchObject({ _tag: "Missing" })
  } finally {
    setSystemTime()
  }
})

test("an order for another exchange than the account's is rejected", async () => {
  await using bench = await Bench.start("binance")
  expect(await bench.ask("submit", bench.ticket({ exchange: "bybit" }))).toMatchObject({ _tag: "Rejected" })
  expect(bench.orders.length).toBe(0)
})

test("paper orders go to paper", async () => {
  await using bench = await Bench.start("okx")
  const { live, ...order } = bench.ticket().order
  const paper = { order: seal(order), fees: fees(), at: order.at }
  expect(await bench.ask("submit", paper)).toMatchObject({ _tag: "Filled", done: true })
  expect(bench.stub.requests).toEqual([])
})

test("okx: spot is traded in cash in every account mode that allows it, stops included", async () => {
  for (const level of ["1", "2"] as const) {
    await using bench = await Bench.start("okx")
    bench.stub.desk.accountLevel = level
    expect(await bench.ask("submit", bench.ticket())).toMatchObject({ _tag: "Filled" })
    expect(await bench.ask("submit", bench.ticket(stop))).toMatchObject({ _tag: "Accepted" })
  }
  await using bench = await Bench.start("okx")
  bench.stub.desk.accountLevel = "3"
  for (const each of [bench.ticket(), bench.ticket(stop)]) {
    const report = await bench.ask("submit", each)
    expect(report).toMatchObject({ _tag: "Rejected", reason: expect.stringContaining("Spot mode") })
  }
})
