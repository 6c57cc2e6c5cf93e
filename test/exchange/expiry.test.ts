// Requests that place orders expire: one that arrives late is refused, and none leaves without a lease.
import { describe, expect, test } from "bun:test"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { descriptors } from "../../src/ccxt/descriptors.ts"
import { ORDER_MS } from "../../src/ccxt/expiry/Expiry.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { EXCHANGE_NAMES, type KnownExchange } from "../../src/domain/Market.ts"
import { type Order, OrderId } from "../../src/domain/Order.ts"
import { Exchange, type Report, type Ticket } from "../../src/services/Exchange.ts"
import { MISSING_MS } from "../../src/services/engine/orders/OrdersInFlight.ts"
import { SENDING_MS, SendingLease } from "../../src/services/engine/orders/SendingLease.ts"
import { fees } from "../../src/testing/Fixtures.ts"
import { Params } from "../exchanges/private/Params.ts"
import type { Stub } from "../exchanges/Stub.ts"
import { ACCOUNT, isSwapper, type LiveOptions, liveOn, SPOT, seal, stubOf } from "./lib.ts"

/** The most that clocks may differ without a request being refused for it (ms), and the accuracy of these tests. */
const CLOCKS_MS = 1000
/** What an order's request may have waited for on its way, longer than any clock is measured wrong (ms). */
const MARGIN_MS = 15_000

interface Bench {
  readonly stub: Stub
  readonly submit: (order?: Partial<Order>, lease?: () => number) => Promise<Report>
}

const on = async (name: KnownExchange, run: (bench: Bench) => Promise<void>, options: LiveOptions = {}) => {
  const stub = await stubOf(name)
  const runtime = ManagedRuntime.make(Layer.orDie(liveOn(name, stub, options)))
  await runtime.runtime()
  let number = 0
  const ticketOf = (changes: Partial<Order>): Ticket => {
    const order: Order = {
      ...{ id: OrderId.make(`1-${++number}-0`), exchange: name, pair: SPOT.pair, kind: "spot" },
      ...{ position: "long", side: "buy", type: "market", quantity: Decimal.unsafeFromText("0.01") },
      ...{ price: 60_005, purpose: "entry", reserved: Decimal.zero, at: Date.now() },
      live: { account: ACCOUNT, tag: "0123456789abcdef" },
      ...changes
    }
    return { order: seal(order), fees: fees(), at: order.at }
  }
  const submit = (changes: Partial<Order> = {}, lease = () => Number.POSITIVE_INFINITY) =>
    runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(Exchange, (exchange) => exchange.submit(ticketOf(changes))),
        SendingLease,
        lease
      )
    )
  try {
    // Markets are loaded and the clock is measured.
    await submit()
    await run({ stub, submit })
  } finally {
    await runtime.dispose()
    await stub.stop()
  }
}

/** Every request that places an order arrives so much later (ms), by the exchange's clock. */
const delay = ({ desk }: Stub, lateMs: number): void => {
  desk.watch = ({ kind }, when) => {
    if (kind === "place") desk.skewMs = when === "before" ? lateMs : 0
  }
}

const STOP: Partial<Order> = { side: "sell", purpose: "exit", type: "stop", price: 55_000 }
const SWAP: Partial<Order> = { kind: "swap", quantity: Decimal.unsafeFromText("0.01") }

/** How long each exchange accepts an order (ms), and one that waits for a price where that is longer. */
const VALID_MS: Readonly<Record<KnownExchange, readonly [number, number?]>> = {
  ...{
    binance: [5000],
    bybit: [5000],
    okx: [5000, 30_000],
    kraken: [5000],
    coinbase: [5000],
    kucoin: [5000]
  },
  bitget: [30_000]
}

test("an order is taken for never arrived only after any request of it has expired", () => {
  for (const name of EXCHANGE_NAMES) {
    const { validMs } = descriptors[name].expiry
    expect(validMs).toBe(Math.max(...VALID_MS[name].map((ms) => ms ?? 0)))
    expect(validMs + MARGIN_MS).toBeLessThan(MISSING_MS)
  }
})

test("an order that may choose its end has it before the end of the lease under which it is sent", () => {
  expect(ORDER_MS + CLOCKS_MS).toBeLessThanOrEqual(SENDING_MS)
})

for (const name of EXCHANGE_NAMES)
  describe(`a request to ${name} that places an order`, () => {
    const [orderMs, stopMs = orderMs] = VALID_MS[name]
    const kinds = [
      ["an order", {}, orderMs],
      ["a stop", STOP, stopMs],
      ...(isSwapper(name)
        ? ([
            ["an order on a perpetual", SWAP, orderMs],
            ["a stop on a perpetual", { ...STOP, ...SWAP }, stopMs]
          ] as const)
        : [])
    ] as const

    test.each(kinds)("is refused if it arrives late: %s", (_, order, validMs) =>
      on(name, async ({ stub, submit }) => {
        const before = stub.desk.book.orders.length
        // The exchanges' whole seconds count too.
        delay(stub, validMs + CLOCKS_MS + 500)
        const late = await submit(order)
        expect(["Rejected", "Unknown"]).toContain(late._tag)
        expect(stub.desk.book.orders.length).toBe(before)
        delay(stub, 1500)
        const soon = await submit(order)
        expect(["Filled", "Accepted"]).toContain(soon._tag)
        expect(stub.desk.book.orders.length).toBe(before + 1)
      })
    )

    test("does not leave without a lease that holds until it has expired", () =>
      on(name, async ({ stub, submit }) => {
        const before = stub.desk.count("place")
        expect(await submit({}, () => SENDING_MS - 1)).toMatchObject({
          _tag: "Rejected",
          reason: "this server was about to lose the strategy to another one"
        })
        expect(stub.desk.count("place")).toBe(before)
        expect(await submit({}, () => SENDING_MS)).toMatchObject({ _tag: "Filled" })
        expect(stub.desk.count("place")).toBe(before + 1)
      }))

    test("is made before the look at the lease: what stands still after it is too late", () =>
      on(name, async ({ stub, submit }) => {
        const before = stub.desk.book.orders.length
        // So much time passes after the look at the lease, before anything is sent.
        let left = SENDING_MS
        const lease = () => {
          const before = left
          stub.desk.skewMs = orderMs + CLOCKS_MS + 500
          left = SENDING_MS - stub.desk.skewMs
          return before
        }
        expect(["Rejected", "Unknown"]).toContain((await submit({}, lease))._tag)
        expect(stub.desk.book.orders.length).toBe(before)
      }))
  })

test("the end of an order and the look at its lease come after its turn in the budget", () =>
  on(
    "kraken",
    async ({ stub, submit }) => {
      const looks: Array<number> = []
      const lease = () => {
        looks.push(Date.now())
        return SENDING_MS
      }
      const began = Date.now()
      await Promise.all([submit({}, lease), submit({}, lease), submit({}, lease)])
      const places = stub.desk.calls.filter(({ kind }) => kind === "place")
      const last = places.at(-1)
      if (last === undefined) throw new Error("nothing was sent")
      expect(looks).toHaveLength(3)
      expect((looks.at(-1) ?? 0) - began).toBeGreaterThan(900)
      const deadline = Date.parse(Params.form(last.request.body).text("deadline") ?? "")
      expect(deadline - last.at).toBeGreaterThan(ORDER_MS - CLOCKS_MS - 500)
    },
    { rate: { perSecond: 100, burst: 100, orders: { perSecond: 2, burst: 1 } } }
  ))
