// The adversary: a feed that goes silent while alerts come in, and then tells the price that held all along.
import { expect } from "bun:test"
import { Effect, Layer, TestClock } from "effect"
import type { AlertType } from "../../src/domain/Alert.ts"
import type { MarketKind } from "../../src/domain/Market.ts"
import * as Memory from "../../src/Memory.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { chosen, onEach } from "../lib/storages.ts"
import { type Dice, dice } from "./worlds.ts"

const TYPES: Readonly<Record<MarketKind, ReadonlyArray<AlertType>>> = {
  spot: ["buy", "buy", "sell"],
  swap: ["long", "long", "short", "close_long", "close_short"]
}

interface Said extends Flow.Saying {
  readonly type: AlertType
}

/** Alerts for one market, with targets around a price of 100. */
const alertsOf = (dice: Dice, kind: MarketKind, most: number): ReadonlyArray<Said> =>
  Array.from({ length: dice.whole(0, most) }, () => {
    const target = (way: number) => 100 + way * dice.whole(-1, 6)
    return {
      type: dice.one(TYPES[kind], "buy"),
      ...(dice.chance(0.4) ? { tp: target(1) } : {}),
      ...(dice.chance(0.4) ? { sl: target(-1) } : {})
    }
  })

const settingsOf = (dice: Dice): Flow.Body => ({
  buy_percentage: dice.one([100, 60, 20], 20),
  signal_ignores_sell_min_profit_percent: dice.chance(0.5),
  ...(dice.chance(0.4) ? { sell_minprofitpercent: dice.percent(1, 5) } : {}),
  ...(dice.chance(0.3) ? { strategy_trailing_buy_switch: true, trailing_buy_percentage: 2 } : {}),
  ...(dice.chance(0.4) ? { stop_loss: true, stop_loss_percentage: dice.percent(1, 5) } : {}),
  ...(dice.chance(0.3)
    ? { balance_stop_loss: true, balance_stop_loss_trigger: 0.05, balance_stop_loss_cooldown: 0 }
    : {})
})

/** All outcomes, with a price from the start, or only after the second half of the alerts. */
const story = (seed: number, isSilent: boolean) =>
  Effect.gen(function* () {
    const draw = dice(seed)
    const kind: MarketKind = draw.chance(0.5) ? "spot" : "swap"
    const ann = yield* Flow.ann(settingsOf(draw))
    const strategies = [
      ann.strategy,
      ...(yield* Effect.forEach([1, 2], () =>
        Flow.aStrategy(ann.account, { signal_id: ann.signal, ...settingsOf(draw) })
      ))
    ]
    const say = ({ type, ...saying }: Said) => Flow.say(ann.identity, ann.signal, type, saying)
    yield* Flow.quote(100, { kind })
    const before = yield* Effect.forEach(alertsOf(draw, kind, 3), say)
    yield* TestClock.adjust("11 seconds")
    const price = draw.one([100, 101, 99, 97, 104], 100)
    const quote = Flow.quote(price, { kind })
    if (!isSilent) yield* quote
    const during = yield* Effect.forEach(alertsOf(draw, kind, 9), say)
    if (isSilent) yield* quote
    yield* Effect.forEach([102, 98, 106, 93], (next) => Flow.quote(next, { kind }))
    const judged = yield* (yield* Alerts).list(ann.account, { limit: 100 })
    const outcomes = judged.map(({ alert, outcomes }) => [
      `${alert.id} ${alert.type}`,
      outcomes.map(({ reason, strategyId }) => `${strategyId} ${reason}`).sort()
    ])
    const books = yield* Effect.forEach(strategies, (strategy) =>
      Effect.all([Effect.map(Flow.tradesOf(strategy), (all) => all.map(Flow.told)), Flow.holds(strategy)])
    )
    return { alerts: before.length + during.length, outcomes, books, waiting: yield* Flow.waitingIds }
  })

const STORIES = 40
/** How many of them are tried on disk, and on Postgres, unless the long form runs. */
const ON_DISK = 8
const FEW = 3

/** What a story needs of a server. */
type Services = Effect.Effect.Context<ReturnType<typeof story>>

/** Each story on a server of its own. */
const same = <E, R>(
  seeds: ReadonlyArray<number>,
  onServer: <A, F>(told: Effect.Effect<A, F, Services>) => Effect.Effect<A, E | F, R>
) =>
  Effect.gen(function* () {
    let alerts = 0
    for (const seed of seeds) {
      const told = yield* onServer(story(seed, false))
      yield* TestClock.setTime(0)
      expect({ seed, ...(yield* onServer(story(seed, true))) }).toEqual({ seed, ...told })
      yield* TestClock.setTime(0)
      expect({ seed, waiting: told.waiting }).toEqual({ seed, waiting: [] })
      alerts += told.alerts
    }
    expect(alerts).toBeGreaterThan(2 * seeds.length)
  })

const SEEDS = Array.from({ length: STORIES }, (_, index) => index + 1)
const TITLE = "alerts that wait for a price have the outcomes that they would have had with a price"

it.effect(TITLE, () => same(SEEDS, (told) => Effect.provide(told, Layer.fresh(Memory.layer()))), 120_000)

onEach((storage) =>
  storage.effect(
    TITLE,
    () =>
      same(storage.isPostgres ? chosen(storage, SEEDS, FEW) : SEEDS.slice(0, ON_DISK), (told) =>
        Effect.flatMap(storage.place, ({ db }) => Disk.run(db, told))
      ),
    600_000
  )
)
