// Each stub against the library that will read the real exchange: what it parses is what the stub was told.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import * as Schema from "effect/Schema"
import type { Ccxt } from "../../src/ccxt/Ccxt.ts"
import { load } from "../../src/ccxt/load.ts"
import { type MarketKind, Pair } from "../../src/domain/Market.ts"
import { binance } from "./binance.ts"
import { bitget } from "./bitget.ts"
import { bybit } from "./bybit.ts"
import { coinbase } from "./coinbase.ts"
import { kraken } from "./kraken.ts"
import { kucoin } from "./kucoin.ts"
import { okx } from "./okx.ts"
import { type Protocol, type Quote, type StubMarket, slotKey } from "./Protocol.ts"
import { Stub } from "./Stub.ts"

type Ask = (exchange: Ccxt, symbols: Array<string>) => Promise<unknown>

/** The calls that together tell bid, ask and last of a kind of market. */
interface Calls {
  readonly rest: ReadonlyArray<Ask>
  readonly stream: ReadonlyArray<Ask>
}

interface Row {
  readonly protocol: Protocol
  readonly spot: Calls
  readonly swap?: Calls
  /** The quote asset of the pairs; USDT unless said. */
  readonly quote?: string
  /** Whether the exchange tells the smallest cost of an order; true unless said. */
  readonly tellsMinCost?: boolean
  /** Whether the smallest order of a perpetual is one step, whatever it costs; false unless said. */
  readonly lots?: boolean
}

const fetchTickers: Ask = (exchange, symbols) => exchange.fetchTickers(symbols)
const fetchBidsAsks: Ask = (exchange, symbols) => exchange.fetchBidsAsks(symbols)
const watchTickers: Ask = (exchange, symbols) => exchange.watchTickers(symbols)
const watchDaily: Ask = (exchange, symbols) => exchange.watchTickers(symbols, { name: "ticker" })
const watchBidsAsks: Ask = (exchange, symbols) => exchange.watchBidsAsks(symbols)
const fetchAllTickers: Ask = (exchange, symbols) =>
  exchange.fetchTickers(symbols, { method: "futuresPublicGetAllTickers" })
const fetchEach: Ask = async (exchange, symbols) =>
  Object.fromEntries(
    await Promise.all(symbols.map(async (symbol) => [symbol, await exchange.fetchTicker(symbol)] as const))
  )
const watchEach: Ask = (exchange, symbols) =>
  Promise.race(symbols.map((symbol) => exchange.watchTicker(symbol)))

const rows: ReadonlyArray<Row> = [
  {
    protocol: binance,
    spot: { rest: [fetchTickers], stream: [watchBidsAsks, watchDaily] },
    swap: { rest: [fetchTickers, fetchBidsAsks], stream: [watchBidsAsks, watchDaily] }
  },
  {
    protocol: bybit,
    spot: { rest: [fetchTickers], stream: [watchBidsAsks, watchTickers] },
    swap: { rest: [fetchTickers], stream: [watchTickers] }
  },
  {
    protocol: okx,
    spot: { rest: [fetchTickers], stream: [watchTickers] },
    swap: { rest: [fetchTickers], stream: [watchTickers] },
    tellsMinCost: false
  },
  {
    protocol: bitget,
    spot: { rest: [fetchTickers], stream: [watchTickers] },
    swap: { rest: [fetchTickers], stream: [watchTickers] }
  },
  {
    // The list leaves out what is not traded.
    protocol: kraken,
    spot: { rest: [fetchTickers, fetchEach], stream: [watchBidsAsks] }
  },
  {
    // The list has no bid and no ask.
    protocol: coinbase,
    spot: { rest: [fetchTickers, fetchEach], stream: [watchEach] }
  },
  {
    protocol: kucoin,
    spot: { rest: [fetchTickers], stream: [watchTickers] },
    swap: { rest: [fetchAllTickers], stream: [watchTickers] },
    lots: true
  }
]

const AT = 1_790_000_000_000
const FIRST: Quote = { bid: 60000.1, ask: 60000.2, last: 60000.15 }
const SECOND: Quote = { bid: 59000.1, ask: 59000.3, last: 59000.2 }

for (const row of rows) {
  const quote = row.quote ?? "USDT"
  const kinds: ReadonlyArray<MarketKind> = row.swap === undefined ? ["spot"] : ["spot", "swap"]
  const markets = kinds.flatMap(
    (kind): ReadonlyArray<StubMarket> => [
      {
        ...{ pair: Pair.make(`BTC/${quote}`), kind, priceStep: "0.01", amountStep: "0.0001" },
        ...{ minAmount: "0.0002", minCost: "5" }
      },
      {
        ...{ pair: Pair.make(`DOGE/${quote}`), kind, priceStep: "0.00001", amountStep: "1" },
        ...{ minAmount: "10", minCost: "1", active: false }
      }
    ]
  )
  const [bitcoin] = markets
  if (bitcoin === undefined) throw new Error("no markets")
  const symbolOf = ({ kind, pair }: StubMarket) => (kind === "spot" ? pair : `${pair}:${quote}`)
  const of = (kind: MarketKind) => markets.filter((market) => market.kind === kind)

  describe(`the stub of ${row.protocol.name}`, () => {
    let stub: Stub
    let exchange: Ccxt
    beforeAll(async () => {
      stub = await Stub.start(row.protocol, markets)
      exchange = await load(row.protocol.name, stub.url)
      exchange.enableRateLimit = false
      await exchange.loadMarkets()
    })
    afterAll(async () => {
      await exchange.close()
      await stub.stop()
    })

    test("lists the markets and their steps", () => {
      const known = decodeMarkets(exchange.markets)
      expect(Object.keys(known).sort()).toEqual(markets.map(symbolOf).sort())
      for (const market of markets) {
        const { active, contractSize, limits, precision } = known[symbolOf(market)] ?? fail(symbolOf(market))
        const size = contractSize ?? 1
        expect(precision.price).toBe(Number(market.priceStep))
        expect((precision.amount ?? 0) * size).toBeCloseTo(Number(market.amountStep), 12)
        const isLots = row.lots === true && market.kind === "swap"
        const least = isLots ? market.amountStep : market.minAmount
        expect((limits.amount.min ?? 0) * size).toBeCloseTo(Number(least), 12)
        if (row.tellsMinCost !== false && !isLots) expect(limits.cost.min).toBe(Number(market.minCost))
        expect(active).toBe(market.active !== false)
      }
    })

    for (const kind of kinds) {
      const calls = kind === "spot" ? row.spot : (row.swap ?? row.spot)
      const [market, other] = of(kind)
      if (market === undefined || other === undefined) throw new Error("two markets of each kind")
      const symbol = symbolOf(market)

      test(`answers requests for the prices of ${kind}`, async () => {
        stub.quote(market, FIRST)
        stub.quote(other, SECOND)
        const seen = new Prices()
        for (const ask of calls.rest) seen.take(await ask(exchange, [symbol, symbolOf(other)]))
        expect(seen.of(symbol)).toEqual(FIRST)
        expect(seen.of(symbolOf(other))).toEqual(SECOND)
      })

      test(`streams the prices of ${kind}`, async () => {
        const seen = new Prices()
        const before = stub.subscriptions().size
        const both = [symbol, symbolOf(other)]
        const ends = calls.stream.map((ask) => seen.follow(() => ask(exchange, both)))
        await until(() => stub.subscriptions().size === before + 2)
        await until(() => {
          stub.quote(market, SECOND)
          return same(seen.of(symbol), SECOND)
        })
        await until(() => {
          stub.quote(market, FIRST)
          stub.quote(other, SECOND)
          return same(seen.of(symbol), FIRST) && same(seen.of(symbolOf(other)), SECOND)
        })
        expect(stub.subscriptions().get(slotKey(market))).toBeGreaterThan(0)
        for (const end of ends) end()
      })

      test(`streams the trades of ${kind}`, async () => {
        const heard = exchange.watchTradesForSymbols([symbol])
        const tell = () =>
          stub.print(market, { price: 60000.1, amount: 0.05, side: "sell", at: AT, id: "71" })
        const trades = await repeat(heard, tell)
        const [trade] = decodeTrades(trades)
        const size = decodeMarkets(exchange.markets)[symbol]?.contractSize ?? 1
        expect(trade).toMatchObject({ symbol, price: 60000.1, side: "sell", timestamp: AT, id: "71" })
        expect((trade?.amount ?? 0) * size).toBeCloseTo(0.05, 12)
      })
    }

    test("knows exactly what is subscribed", () => {
      expect([...stub.subscriptions().keys()].sort()).toEqual(markets.map(slotKey).sort())
    })
  })
}

/** The last bid, ask and last price told of each symbol, whichever call told it. */
class Prices {
  readonly #seen = new Map<string, Partial<Quote>>()

  readonly of = (symbol: string): Partial<Quote> => this.#seen.get(symbol) ?? {}

  /** A ticker, or tickers by symbol. */
  readonly take = (answer: unknown): void => {
    for (const { ask, bid, last, symbol } of decodeTickers(answer)) {
      const told = {
        ...(bid == null ? {} : { bid }),
        ...(ask == null ? {} : { ask }),
        ...(last == null ? {} : { last })
      }
      this.#seen.set(symbol, { ...this.of(symbol), ...told })
    }
  }

  /** Asks again and again, until the function that comes back is called. */
  readonly follow = (ask: () => Promise<unknown>): (() => void) => {
    let over = false
    const round = async (): Promise<void> => {
      while (!over) this.take(await ask())
    }
    round().catch((error: unknown) => {
      if (!over) console.error(error)
    })
    return () => {
      over = true
    }
  }
}

const Amount = Schema.optional(Schema.NullishOr(Schema.Number))
const Limit = Schema.Struct({ min: Amount })
const decodeMarkets = Schema.decodeUnknownSync(
  Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      active: Schema.optional(Schema.NullishOr(Schema.Boolean)),
      contractSize: Amount,
      precision: Schema.Struct({ price: Amount, amount: Amount }),
      limits: Schema.Struct({ amount: Limit, cost: Limit })
    })
  })
)
const Ticker = Schema.Struct({ symbol: Schema.String, bid: Amount, ask: Amount, last: Amount })
const Tickers = Schema.Union(Ticker, Schema.Record({ key: Schema.String, value: Ticker }))
const Trade = Schema.Struct({
  ...{ symbol: Schema.String, side: Schema.String, id: Schema.String },
  ...{ price: Schema.Number, amount: Schema.Number, timestamp: Schema.Number }
})
const decodeTrades = Schema.decodeUnknownSync(Schema.Array(Trade))
const isTicker = Schema.is(Ticker)
const decodeTickers = (answer: unknown): ReadonlyArray<typeof Ticker.Type> => {
  const tickers = Schema.decodeUnknownSync(Tickers)(answer)
  return isTicker(tickers) ? [tickers] : Object.values(tickers)
}

const same = (seen: Partial<Quote>, quote: Quote): boolean => Bun.deepEquals(seen, quote)

const fail = (what: string): never => {
  throw new Error(`${what} is missing`)
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await Bun.sleep(2)
}

/** Does it again and again until the promise is kept. */
const repeat = async <A>(promise: Promise<A>, act: () => void): Promise<A> => {
  let over = false
  const kept = promise.finally(() => {
    over = true
  })
  while (!over) {
    act()
    await Bun.sleep(2)
  }
  return kept
}
