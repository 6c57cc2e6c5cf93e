// The contract of `Markets`: the built-in catalogue, changed by refreshes and by the operator's switches.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Catalogue from "../../domain/catalogue/Catalogue.ts"
import { toText } from "../../domain/Decimal.ts"
import { EXCHANGE_NAMES, type MarketId, Pair } from "../../domain/Market.ts"
import { Markets } from "../../services/Markets.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { decimal, fees, listed, listingOf, plain } from "./listings.ts"

const spot: MarketId = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" }
const NEW: MarketId = { exchange: "binance", pair: Pair.make("NEW1/USDT"), kind: "spot" }
const idOf = ({ exchange, kind, pair }: MarketId): MarketId => ({ exchange, pair, kind })

/** An implementer keeps the switches through every refresh, and rejects a truncated listing. */
export const suite = Contract.suite<Markets>("Markets", (it) => {
  it("a new server has the shipped catalogue, with everything switched on", () =>
    Effect.gen(function* () {
      const markets = yield* Markets
      expect(yield* markets.exchanges).toEqual(EXCHANGE_NAMES.map(Catalogue.exchange))
      expect((yield* markets.refreshes).size).toBe(0)
      for (const exchange of EXCHANGE_NAMES) {
        expect(yield* markets.list(exchange)).toEqual(Catalogue.markets(exchange))
      }
      const catalogue = yield* markets.catalogue
      expect(catalogue.exchange("okx").active).toBe(true)
      for (const name of EXCHANGE_NAMES) expect(catalogue.shippedOn(name)).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      expect(catalogue.market(spot)).toEqual(Catalogue.find(spot))
      expect(catalogue.market({ ...spot, pair: Pair.make("NO/PE") })).toEqual(Option.none())
    }))

  it("an exchange can be switched off and on", () =>
    Effect.gen(function* () {
      const markets = yield* Markets
      const off = yield* markets.switchExchange("kraken", false)
      expect(off).toEqual({ ...Catalogue.exchange("kraken"), active: false })
      expect((yield* markets.catalogue).exchange("kraken")).toEqual(off)
      expect((yield* markets.catalogue).exchange("okx").active).toBe(true)
      expect((yield* markets.exchanges).filter(({ active }) => !active)).toEqual([off])
      expect((yield* markets.switchExchange("kraken", true)).active).toBe(true)
      expect((yield* markets.catalogue).exchange("kraken").active).toBe(true)
    }))

  it("a switch of one market leaves other markets, and the other kind, unchanged", () =>
    Effect.gen(function* () {
      const markets = yield* Markets
      const closed = yield* markets.switchMarket(spot, { buyEnabled: false })
      expect([closed.active, closed.buyEnabled]).toEqual([true, false])
      const off = yield* markets.switchMarket(spot, { active: false })
      expect([off.active, off.buyEnabled]).toEqual([false, false])
      const open = yield* markets.switchMarket(spot, { buyEnabled: true })
      expect([open.active, open.buyEnabled]).toEqual([false, true])
      const catalogue = yield* markets.catalogue
      expect(catalogue.market(spot)).toEqual(Option.some(open))
      expect(catalogue.market({ ...spot, kind: "swap" })).toEqual(Catalogue.find({ ...spot, kind: "swap" }))
      const changed = (yield* markets.list("binance")).filter(({ active }) => !active)
      expect(changed).toEqual([open])
      expect(yield* markets.switchMarket(spot, {})).toEqual(open)
    }))

  it("a market that does not exist cannot be switched", () =>
    Effect.gen(function* () {
      const markets = yield* Markets
      const error = yield* Effect.flip(
        markets.switchMarket({ ...spot, pair: Pair.make("NO/PE") }, { active: false })
      )
      expect(error.message).toBe("there is no spot market NO/PE on binance")
    }))

  it("a refresh updates steps, minimums and fees, adds markets and closes delisted ones", () =>
    Effect.gen(function* () {
      const markets = yield* Markets
      const [first, second, ...others] = Catalogue.markets("binance")
      if (first === undefined || second === undefined) throw new Error("binance is shipped with nothing")
      const report = yield* markets.renew(
        listingOf("binance", [
          { ...listed(first), priceStep: decimal("0.0000000001"), minCost: Option.some(decimal("7.50")) },
          ...others.map(listed),
          { ...listed(first), pair: NEW.pair }
        ])
      )
      expect([...(yield* markets.refreshes)]).toEqual([["binance", 0]])
      expect(report).toEqual({
        known: Catalogue.markets("binance").length + 1,
        added: [expect.objectContaining(NEW)],
        changed: [expect.objectContaining(idOf(first))],
        gone: [expect.objectContaining(idOf(second))],
        left: []
      })
      const catalogue = yield* markets.catalogue
      const changed = Option.getOrThrow(catalogue.market(first))
      expect([changed.priceStep, changed.minCost].map(toText)).toEqual(["0.0000000001", "7.5"])
      expect(toText(changed.amountStep)).toBe(toText(first.amountStep))
      expect([changed.active, changed.buyEnabled]).toEqual([true, true])
      const closed = Option.getOrThrow(catalogue.market(second))
      expect(plain(closed)).toEqual({ ...plain(second), active: false })
      expect(Option.getOrThrow(catalogue.market(NEW))).toMatchObject({ active: true, buyEnabled: true })
      const list = yield* markets.list("binance")
      expect(list.map(idOf)).toEqual([...Catalogue.markets("binance").map(idOf), NEW])
      const { makerFeePercent, takerFeePercent, ...exchange } = catalogue.exchange("binance")
      expect([makerFeePercent, takerFeePercent].map(toText)).toEqual(["0.05", "0.075"])
      expect(exchange).toEqual({ name: "binance", active: true })
      expect(catalogue.exchange("okx")).toEqual(Catalogue.exchange("okx"))
      expect(yield* markets.list("okx")).toEqual(Catalogue.markets("okx"))
    }))

  it("switches survive a refresh, and never open a market that the exchange has closed", () =>
    Effect.gen(function* () {
      const markets = yield* Markets
      const shipped = Catalogue.markets("binance")
      yield* markets.switchMarket(spot, { active: false })
      yield* markets.switchExchange("binance", false)
      yield* markets.renew(listingOf("binance", shipped.map(listed)))
      expect(Option.getOrThrow((yield* markets.catalogue).market(spot)).active).toBe(false)
      expect((yield* markets.catalogue).exchange("binance").active).toBe(false)

      const halted = shipped.map((market) => ({ ...listed(market), active: market.pair !== spot.pair }))
      yield* markets.renew(listingOf("binance", halted))
      expect((yield* markets.switchMarket(spot, { active: true })).active).toBe(false)
      expect((yield* markets.list("binance")).find(({ pair }) => pair === spot.pair)?.active).toBe(false)

      // It is traded again, and the operator has switched it on meanwhile.
      yield* markets.renew(listingOf("binance", shipped.map(listed)))
      expect(Option.getOrThrow((yield* markets.catalogue).market(spot)).active).toBe(true)
    }))

  it("an added market has the same switches as the others, and a later refresh closes it", () =>
    Effect.gen(function* () {
      const markets = yield* Markets
      const shipped = Catalogue.markets("okx").map(listed)
      const [first] = shipped
      if (first === undefined) throw new Error("okx is shipped with nothing")
      const id = { ...NEW, exchange: "okx" } as const
      expect((yield* Effect.flip(markets.switchMarket(id, { active: false })))._tag).toBe("MarketNotFound")
      yield* markets.renew(listingOf("okx", [...shipped, { ...first, pair: NEW.pair }]))
      expect((yield* markets.switchMarket(id, { buyEnabled: false })).buyEnabled).toBe(false)
      const report = yield* markets.renew({ ...listingOf("okx", shipped), fees: Option.none() })
      expect(report.gone.map(({ pair }) => pair)).toEqual([NEW.pair])
      const catalogue = yield* markets.catalogue
      expect(Option.getOrThrow(catalogue.market(id))).toMatchObject({ active: false, buyEnabled: false })
      // The earlier refresh had fees, this one has none.
      expect(toText(catalogue.exchange("okx").takerFeePercent)).toBe(toText(fees.takerFeePercent))
    }))

  it("a truncated listing changes nothing", () =>
    Effect.gen(function* () {
      const markets = yield* Markets
      const shipped = Catalogue.markets("kraken")
      const few = shipped.slice(0, Math.ceil(shipped.length / 2) - 1).map(listed)
      const error = yield* Effect.flip(markets.renew(listingOf("kraken", few)))
      expect([error.found, error.known]).toEqual([few.length, shipped.length])
      expect((yield* Effect.flip(markets.renew(listingOf("kraken", [])))).found).toBe(0)
      expect(yield* markets.list("kraken")).toEqual(shipped)
      expect((yield* markets.catalogue).exchange("kraken")).toEqual(Catalogue.exchange("kraken"))
    }))
})
