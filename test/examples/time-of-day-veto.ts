// Own decisions by the time of day: nothing is entered at night, and what is open is closed before it. The same hooks
// decide in the bots and in a back-test, and the timeline shows their words.
import assert from "node:assert/strict"
import { Effect } from "effect"
import { Alert, Alerts, Decisions, Memory, Timeline } from "signalbox"
import { type Hooks, hold, leave, veto } from "signalbox/trading/OwnDecisions"
import { begin, me, price } from "./lib/trader.ts"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The hours of a day (UTC) in which entries are made; positions are closed at the end. */
interface Hours {
  readonly from: number
  readonly until: number
}

const within = ({ from, until }: Hours): Hooks => ({
  entry: ({ now }, proposal) => {
    const hour = (now % DAY_MS) / HOUR_MS
    return hour >= from && hour < until ? proposal : veto(`no entries outside ${from} to ${until} h UTC`)
  },
  exit: ({ now }, { openedAt }) => {
    const ends = Math.floor(openedAt / DAY_MS) * DAY_MS + until * HOUR_MS
    return now >= ends ? leave(`the day ends at ${until} h UTC`) : hold({ at: ends })
  }
})

/** What becomes of an alert to buy that comes now, and what the timeline says of it. */
const bought = (hours: Hours) =>
  Effect.gen(function* () {
    const { signal, strategy } = yield* begin()
    yield* price(60_000)
    const alerts = yield* Alerts
    const { id } = yield* alerts.receive(
      me,
      Alert.instruction({ signalId: signal, coin: "BTC", quoteCurrency: "USDT", type: "buy" }),
      {}
    )
    const judged = yield* Effect.repeat(
      Effect.zipLeft(alerts.get(me.account, id), Effect.sleep("5 millis")),
      {
        until: ({ outcomes }) => outcomes.length > 0
      }
    )
    const timeline = yield* (yield* Timeline).list(me.account, strategy, { limit: 10 })
    return { reason: judged.outcomes[0]?.reason, texts: timeline.map(({ text }) => text) }
  }).pipe(Effect.provide(Memory.layerWith(Decisions.with(within(hours)))), Effect.runPromise)

const never = await bought({ from: 0, until: 0 })
assert.equal(never.reason, "vetoed")
assert.ok(never.texts.some((text) => text.includes("no entries outside 0 to 0 h UTC")))
assert.equal((await bought({ from: 0, until: 24 })).reason, "opened")
console.log(never.texts.find((text) => text.includes("no entries")))
