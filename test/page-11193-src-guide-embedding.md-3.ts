import assert from "node:assert/strict"
import { Effect } from "effect"
import { expectTimeline, PriceScript, TestServer } from "signalbox/testing"

const prices = PriceScript.start(100).alert("buy").to(110, "1 hour").wait("1 day").to(90, "40 minutes")

await TestServer.run({ prices, strategies: [{ stop_loss: true, stop_loss_percentage: 5 }] }, (server) =>
  Effect.gen(function* () {
    yield* server.play()
    yield* expectTimeline(
      server.strategy,
      `t=0       | alert
       t=0       | opened       | Ordered to buy 10 BTC on BTC/USDT at 100.
       t=0       | order_filled
       t=1d1h30m | closed       | ...stop loss of 5 %...
       t=1d1h30m | trade`
    )
    yield* server.pass("365 days")
    yield* server.price(80)
    yield* server.alert("buy")
    assert.deepEqual(yield* server.strategy.holds, ["BTC/USDT spot long 12.43506 @ 80"])
  })
)
