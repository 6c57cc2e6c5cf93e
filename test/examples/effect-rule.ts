// A validation rule that is an effect: it asks a service of your own whether a pair may be traded. The request waits
// for the answer, the bots do not, and the violations are reported with those of all other rules.
import assert from "node:assert/strict"
import { Context, Effect, Layer, Option } from "effect"
import { Memory, Validation } from "signalbox"
import { violation } from "signalbox/domain/requests/Violations"
import { begin } from "./lib/trader.ts"

/** The house's compliance desk. */
class Compliance extends Context.Tag("Compliance")<
  Compliance,
  { readonly isAllowed: (pair: string) => Effect.Effect<boolean> }
>() {}

const allowedPairs = Validation.effect(({ reading }) =>
  Effect.gen(function* () {
    const { isAllowed } = yield* Compliance
    const pairs = Option.getOrElse(reading.listings, () => []).flatMap(({ pairs }) => pairs)
    const answers = yield* Effect.forEach(pairs, isAllowed)
    return answers.every(Boolean) ? [] : [violation("exchanges", "lists a pair that compliance has closed")]
  }).pipe(
    // Whoever does not answer in time has not allowed it.
    Effect.timeoutTo({
      duration: "2 seconds",
      onSuccess: (violations) => violations,
      onTimeout: () => [violation("exchanges", "could not be checked with compliance: try again")]
    })
  )
)

const compliance = Layer.succeed(Compliance, {
  isAllowed: (pair) => Effect.delay(Effect.succeed(pair !== "DOGE/USDT"), "10 millis")
})
const server = Memory.layerWith(Layer.provide(Validation.with(allowedPairs), compliance))

const doge = { exchanges: [{ exchange_name: "binance", coin_pairs: ["DOGE/USDT"] }] } as const
const violations = await Effect.runPromise(begin(doge).pipe(Effect.flip, Effect.provide(server)))
assert.match(violations.message, /^exchanges lists a pair that compliance has closed/)
const { strategy } = await Effect.runPromise(begin().pipe(Effect.provide(server)))
console.log(`refused: "${violations.message}"; BTC/USDT is strategy ${strategy}`)
