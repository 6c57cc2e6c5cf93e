// Runs a back-test that never ends, for a test that kills this process meanwhile: the child is to end with it. The
// argument is a database beside which recorded prices are a pipe that nobody writes to.
import { Effect, Layer } from "effect"
import * as Children from "../../src/backtests/Children.ts"
import { AccountId } from "../../src/domain/Account.ts"
import * as Memory from "../../src/Memory.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import { STRATEGY } from "../lib/strategy.ts"

const [, , database = ""] = process.argv
const request = { strategy: STRATEGY, candles: [{ pair: "BTC/USDT", exchange: "binance" }] }
const run = Effect.flatMap(Backtester, (backtester) =>
  backtester.run(AccountId.make(1), Effect.succeed(new TextEncoder().encode(JSON.stringify(request))))
)
await Effect.runPromise(Effect.provide(run, Layer.provide(Children.layer({ database }), Memory.layer())))
