// Plays the demo: creates signals and strategies, then publishes the candles, and before each candle sends the alerts
// that are due.
import * as Effect from "effect/Effect"
import type { AlertType } from "../../domain/Alert.ts"
import type { Recording } from "../../prices/CandleFiles.ts"
import { moments } from "../../prices/Replay.ts"
import type { ReplayClock } from "../../prices/ReplayClock.ts"
import { Bots } from "../../services/Bots.ts"
import { PriceFeed } from "../../services/PriceFeed.ts"
import { RuleDesk } from "../../services/rules/RuleDesk.ts"
import { client } from "./Client.ts"
import { crossings } from "./Crossing.ts"
import * as Strategies from "./Strategies.ts"

/** The lengths of the two averages, in minutes. */
export const FAST = 20
export const SLOW = 100

export interface Stage {
  readonly url: string
  readonly token: string
  readonly hook: string
  readonly recording: Recording
  readonly clock: ReplayClock
}

/** The created strategies, the signal with a rule, and the sent alerts, for the report. */
export interface Played {
  readonly strategies: ReadonlyArray<number>
  readonly byRule: number
  readonly candles: number
  readonly alerts: number
}

export const play = Effect.fn("demo.play")(function* ({ clock, hook, recording, token, url }: Stage) {
  const api = client(url, token)
  const spot = yield* api.createSignal(Strategies.SPOT_SIGNAL)
  const futures = yield* api.createSignal(Strategies.FUTURES_SIGNAL)
  const byRule = yield* api.createSignalWithRule(Strategies.RULE_SIGNAL)
  yield* (yield* RuleDesk).sync
  const strategies = [
    yield* api.createStrategy(Strategies.follower(spot)),
    yield* api.createStrategy(Strategies.taker(spot)),
    yield* api.createStrategy(Strategies.bothWays(futures)),
    yield* api.createStrategy(Strategies.byRule(byRule))
  ]
  const due = new Map(crossings(recording.columns, FAST, SLOW).map(({ direction, row }) => [row, direction]))
  const feed = yield* PriceFeed
  const bots = yield* Bots
  let candles = 0
  let alerts = 0
  for (const { at, events } of moments([recording])) {
    clock.moveTo(at, at)
    const direction = due.get(candles)
    for (const [signal_id, type] of direction === undefined ? [] : alertsFor(direction, spot, futures)) {
      yield* api.webhook(hook, { signal_id, coin: "BTC", quote_currency: "USDT", type })
      alerts++
    }
    clock.begin(at)
    yield* feed.publish(events)
    candles++
  }
  yield* bots.caughtUp
  const played: Played = { strategies, byRule, candles, alerts }
  return played
})

const alertsFor = (
  direction: "up" | "down",
  spot: number,
  futures: number
): ReadonlyArray<readonly [number, AlertType]> =>
  direction === "up"
    ? [
        [spot, "buy"],
        [futures, "close_short"],
        [futures, "long"]
      ]
    : [
        [spot, "sell"],
        [futures, "close_long"],
        [futures, "short"]
      ]
