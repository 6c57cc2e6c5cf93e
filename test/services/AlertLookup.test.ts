// The look-up of what an alert needs: its answer must not depend on what other processes do to the caches meanwhile.
import { expect, test } from "bun:test"
import { Effect, Either, Layer } from "effect"
import { AccountId, type Identity, TokenId } from "../../src/domain/Account.ts"
import * as AlertReading from "../../src/domain/alert/AlertReading.ts"
import type { AlertPost } from "../../src/domain/alert/Incoming.ts"
import * as AlertLookup from "../../src/services/alerts/AlertLookup.ts"
import { Venues } from "../../src/services/feeds/Venues.ts"
import { Digest } from "../../src/services/internal/Digest.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"

const sender: Identity = { account: AccountId.make(1), token: TokenId.make(7), scope: "full" }
const text = JSON.stringify({ signal_id: 1, symbol: "BTCUSDT", type: "buy", test: true })
const post: AlertPost = {
  ...{ door: "alert", contentType: "application/json", query: "", idempotencyKey: null },
  ...{ warnings: [], text, body: text }
}

test("an alert is explained with the pairs that it was understood with, though the cache is emptied meanwhile", () => {
  const signal = Fixtures.signal({ account: sender.account, active: true })
  const followers = [Fixtures.strategy({ account: sender.account })]
  let isCached = true
  const layers = Layer.mergeAll(
    Layer.mock(Signals, { recall: () => signal }),
    Layer.mock(StrategyStore, { recall: () => (isCached ? followers : undefined) }),
    Layer.mock(Markets, {}),
    Layer.succeed(Venues, { exchanges: [], quoteCurrencies: [] }),
    Layer.mock(Digest, {})
  )
  const explained = Effect.gen(function* () {
    const { lookUp } = yield* AlertLookup.make
    const { known, meaning } = yield* lookUp(sender, post)
    isCached = false
    return [meaning._tag, Either.isRight(AlertReading.read(post, known.pairs))]
  })
  expect(Effect.runSync(Effect.provide(explained, layers))).toEqual(["Test", true])
})
