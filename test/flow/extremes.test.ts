// Values at both ends of every bound, and alerts around the creation and deletion of strategies.
import { expect } from "bun:test"
import { join } from "node:path"
import { Effect } from "effect"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { folder } from "../services/ports.ts"
import { settings } from "../trading/scenario.ts"

// The adversary follows the same signal, with settings from an older version that hold extreme doubles.
const EXTREMES = {
  ...settings({ buyPercent: 50, minProfitPercent: 1e308 }),
  trailingSell: { armPercent: 1e308, percent: 50 },
  balanceTakeProfit: { triggerPercent: 1e-13, cooldownMinutes: 0 },
  balanceStopLoss: { triggerPercent: 1e-11, cooldownMinutes: 0 }
}

it.effect("stops and targets work beside an account with extreme numbers, also after a restart", () =>
  Effect.gen(function* () {
    const db = join(yield* folder, "signalbox.db")
    const exits = { stop_loss: true, stop_loss_percentage: 5, sell_minprofitpercent: 5 }
    const ann = yield* Disk.run(
      db,
      Effect.gen(function* () {
        const ann = yield* Flow.ann(exits)
        yield* (yield* StrategyStore).create(ann.account, { ...EXTREMES, signalId: ann.signal })
        for (const kind of ["spot", "swap"] as const) yield* Flow.quote(100, { kind })
        yield* Flow.say(ann.identity, ann.signal, "buy", { tp: 1e308 })
        yield* Flow.quote(95)
        yield* Flow.say(ann.identity, ann.signal, "buy")
        yield* Flow.quote(101)
        yield* Flow.say(ann.identity, ann.signal, "short", { sl: 1e308 })
        return ann
      })
    )
    yield* Disk.run(
      db,
      Effect.gen(function* () {
        yield* Flow.quote(90, { kind: "swap" })
        expect((yield* Flow.tradesOf(ann.strategy)).map(({ exitReason }) => exitReason)).toEqual([
          "stop_loss",
          "take_profit",
          "take_profit"
        ])
      })
    )
  })
)
