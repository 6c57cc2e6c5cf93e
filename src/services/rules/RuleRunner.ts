// Drives the rules: has the feed stream their markets, and hands them the closed candles of exchanges as they come.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import { Bots } from "../Bots.ts"
import { follow } from "../engine/alerts/Following.ts"
import * as EnginePartitions from "../engine/EnginePartitions.ts"
import { until } from "../internal/Waiting.ts"
import type { FedCandles } from "./FedCandles.ts"
import { RuleDesk } from "./RuleDesk.ts"

/** How long after its end a minute of quotes is closed, if no later quote has closed it (ms). */
const GRACE_MS = 1_000

/** How often the clock is looked at for schedules and waits (ms): it may be put forward or back meanwhile. */
const LOOK_MS = 500

/** Runs for as long as the layer lives. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const bots = yield* Bots
    const desk = yield* RuleDesk
    yield* EnginePartitions.follow(desk.own)
    const watch = Effect.flatMap(desk.series, (series) => {
      const markets = new Map<string, MarketId>(
        series.map(({ timeframe: _, ...market }) => [marketKey(market), market])
      )
      return bots.watchAlso([...markets.values()])
    })
    yield* follow("the markets of rules", Effect.zipRight(watch, desk.changed))
    const pause = Effect.sleep(LOOK_MS)
    yield* follow(
      "schedules of rules",
      desk.hasSchedules.pipe(Effect.zipRight(desk.schedules), Effect.zipRight(pause))
    )
    yield* follow(
      "alerts that wait for one from outside",
      desk.hasWaits.pipe(Effect.zipRight(desk.waits), Effect.zipRight(pause))
    )
    yield* Option.match(desk.fed, {
      onNone: () => follow("closed candles", Effect.flatMap(desk.source.next, desk.take)),
      onSome: (fed) => follow("minutes of quotes", closing(fed, desk.take))
    })
  })
)

/** Closes minutes of quotes that no later quote closes. */
const closing = (fed: FedCandles, take: typeof RuleDesk.Service.take) =>
  Effect.gen(function* () {
    yield* until((yield* fed.minuteEnd) + GRACE_MS)
    yield* take(fed.closedBy(yield* Clock.currentTimeMillis))
  })
