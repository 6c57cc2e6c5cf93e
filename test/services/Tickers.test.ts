import { test } from "bun:test"
import { Clock, Effect } from "effect"
import { ofLast } from "../../src/domain/Ticker.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"
import { PriceEvent } from "../../src/services/Tickers.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suiteOf } from "../../src/testing/contracts/Tickers.ts"

const suite = suiteOf<PriceFeed.PriceFeed>({
  say: (market, price) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const { publish } = yield* PriceFeed.PriceFeed
      const said = publish([PriceEvent.Quoted({ market, ticker: ofLast(price, now) })])
      yield* Effect.forkScoped(said)
      yield* Effect.yieldNow()
    })
})

Contract.tests(suite, PriceFeed.layer("by hand"), test)
