// Own decisions on alerts that close: below what the position cost they are vetoed, above it they move its stop there and
// let it run. What the bot decides, stores and tells stays its own: the hook only chooses among its answers.
import assert from "node:assert/strict"
import { Effect } from "effect"
import { Alert, Alerts, Decisions, Memory, Timeline } from "signalbox"
import { type Hooks, veto } from "signalbox/trading/OwnDecisions"
import { begin, me, price } from "./lib/trader.ts"

const patient: Hooks = {
  alert: (context, { act, position }, decide) => {
    if (act === "open" || position === undefined) return decide()
    return context.price < position.average
      ? veto("a loss is not taken by an alert")
      : decide({ act: "open", sl: position.average, text: "the gain is kept, and may grow" })
  }
}

const program = Effect.gen(function* () {
  const { signal, strategy } = yield* begin()
  const alerts = yield* Alerts
  const said = (type: "buy" | "sell") =>
    Effect.gen(function* () {
      const instruction = Alert.instruction({ signalId: signal, coin: "BTC", quoteCurrency: "USDT", type })
      const { id } = yield* alerts.receive(me, instruction, {})
      const judged = yield* Effect.repeat(
        Effect.zipLeft(alerts.get(me.account, id), Effect.sleep("5 millis")),
        { until: ({ outcomes }) => outcomes.length > 0 }
      )
      return judged.outcomes[0]?.reason
    })
  yield* price(60_000)
  const bought = yield* said("buy")
  yield* price(59_000)
  const loss = yield* said("sell")
  yield* price(60_500)
  const gain = yield* said("sell")
  const timeline = yield* (yield* Timeline).list(me.account, strategy, { limit: 20 })
  return { reasons: [bought, loss, gain], texts: timeline.map(({ text }) => text) }
})

const { reasons, texts } = await Effect.runPromise(
  Effect.provide(program, Memory.layerWith(Decisions.with(patient)))
)
assert.deepEqual(reasons, ["opened", "vetoed", "targets_updated"])
assert.ok(texts.some((text) => text.includes("a loss is not taken by an alert")))
console.log(texts.find((text) => text.includes("may grow")))
