import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import * as Catalogue from "../../src/domain/Catalogue.ts"
import { EXCHANGE_NAMES, type MarketId, Pair } from "../../src/domain/Market.ts"
import { Markets } from "../../src/services/Markets.ts"
import { layer } from "../lib/effect.ts"
import type { Subject } from "./ports.ts"

const spot: MarketId = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" }

export const contract = (name: string, subject: Subject) =>
  describe(`Markets: ${name}`, () => {
    const it = layer(subject)

    it.effect("begins as shipped, all on", () =>
      Effect.gen(function* () {
        const markets = yield* Markets
        expect(yield* markets.exchanges).toEqual(EXCHANGE_NAMES.map(Catalogue.exchange))
        for (const exchange of EXCHANGE_NAMES) {
          expect(yield* markets.list(exchange)).toEqual(Catalogue.markets(exchange))
        }
        const catalogue = yield* markets.catalogue
        expect(catalogue.exchange("okx").active).toBe(true)
        expect(catalogue.market(spot)).toEqual(Catalogue.find(spot))
        expect(catalogue.market({ ...spot, pair: Pair.make("NO/PE") })).toEqual(Option.none())
      })
    )

    it.effect("an exchange is switched off and on", () =>
      Effect.gen(function* () {
        const markets = yield* Markets
        const off = yield* markets.switchExchange("kraken", false)
        expect(off).toEqual({ ...Catalogue.exchange("kraken"), active: false })
        expect((yield* markets.catalogue).exchange("kraken")).toEqual(off)
        expect((yield* markets.catalogue).exchange("okx").active).toBe(true)
        expect((yield* markets.exchanges).filter(({ active }) => !active)).toEqual([off])
        expect((yield* markets.switchExchange("kraken", true)).active).toBe(true)
        expect((yield* markets.catalogue).exchange("kraken").active).toBe(true)
      })
    )

    it.effect("a switch of a market leaves the other one, and the other kind, alone", () =>
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
      })
    )

    it.effect("there is no switch for a market that is not there", () =>
      Effect.gen(function* () {
        const markets = yield* Markets
        const error = yield* Effect.flip(
          markets.switchMarket({ ...spot, pair: Pair.make("NO/PE") }, { active: false })
        )
        expect(error.message).toBe("there is no spot market NO/PE on binance")
      })
    )
  })
