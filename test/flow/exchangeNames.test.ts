// Spellings of exchange names.
import { describe, expect } from "bun:test"
import { Effect } from "effect"
import * as Memory from "../../src/Memory.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { sender } from "../services/ports.ts"

const it = layer(Memory.layer())

describe("names of exchanges", () => {
  const listing = (exchange_name: string, pair: string) => ({ exchange_name, coin_pairs: [pair] })

  it.effect("are accepted in common spellings, and stored, shown and traded by their ids", () =>
    Effect.gen(function* () {
      const exchanges = [listing("Binance", "BTC/USDT"), listing("okex", "ETH/USDT")]
      const ann = yield* Flow.ann()
      const strategies = yield* Strategies
      const body = { default_exchange_name: "KuCoin", exchanges }
      const shown = yield* strategies.put(ann.account, ann.strategy, body)
      expect(shown.default_exchange_name).toBe("kucoin")
      expect(shown.exchanges.map(({ exchange_name }) => exchange_name)).toEqual(["binance", "okx"])
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      expect(yield* Flow.holds(ann.strategy)).toHaveLength(1)
      const changed = yield* strategies.put(ann.account, ann.strategy, { default_exchange_name: "BINANCE" })
      expect(changed.default_exchange_name).toBe("binance")
    })
  )

  it.effect("are refused when two spellings name one exchange", () =>
    Effect.gen(function* () {
      const { account } = yield* sender("ann")
      const exchanges = [listing("OKX", "BTC/USDT"), listing("okex", "ETH/USDT")]
      const refused = yield* Effect.flip((yield* Strategies).post(account, { ...Flow.request(), exchanges }))
      expect(refused).toMatchObject({
        errors: {
          exchanges: [0, 1].map((at) => `[${at}] lists okx more than once: put its pairs into one entry`)
        }
      })
    })
  )
})
