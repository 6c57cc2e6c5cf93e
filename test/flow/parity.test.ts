// A back-test and the engine make the same trades.
import { expect } from "bun:test"
import { Effect, Layer, Option, Schema } from "effect"
import { recording } from "../../src/cli/demo/Recorded.ts"
import { outcomeOf } from "../../src/domain/Alert.ts"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { FillModel } from "../../src/domain/fills/FillModel.ts"
import { Position } from "../../src/domain/Position.ts"
import type { StrategyId } from "../../src/domain/StrategyId.ts"
import { Trade } from "../../src/domain/Trade.ts"
import * as Memory from "../../src/Memory.ts"
import type { Recording } from "../../src/prices/CandleFiles.ts"
import { moments } from "../../src/prices/Replay.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { Decisions } from "../../src/services/engine/Decisions.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { PriceFeed } from "../../src/services/PriceFeed.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import { ENDLESS_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { type BacktestResult, run, type TimedAlert } from "../../src/trading/Backtest.ts"
import { rankBy } from "../../src/trading/Bot.ts"
import { type Hooks, hold, leave, veto } from "../../src/trading/OwnDecisions.ts"
import { summary } from "../../src/trading/Performance.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Figures from "../lib/figures.ts"
import * as Flow from "../lib/flow.ts"
import { chosen, onEach } from "../lib/storages.ts"
import { recount } from "./recount.ts"
import * as Worlds from "./worlds.ts"

// Live = replay = back-test: the running server and the back-test agree on every trade, reason and figure; and a
// second way of counting agrees with both.

const STRATEGIES = 15
const ALERTS = 260
const MINUTES = 600

const recordingsOf = (dice: Worlds.Dice, real: Recording): ReadonlyArray<Recording> => {
  const btc = Worlds.part(real.columns, dice.whole(0, 800), MINUTES)
  const begin = btc.at[0] ?? 0
  const [first, second, third] = Worlds.PAIRS
  const made = [
    { pair: first, columns: btc },
    { pair: second, columns: Worlds.walk(dice, begin, MINUTES, 1300, 0.003) },
    { pair: third, columns: Worlds.walk(dice, begin, MINUTES, 14, 0.008) }
  ]
  return made.flatMap(({ columns, pair }) =>
    pair === undefined ? [] : [{ exchange: "bybit" as const, pair, columns }]
  )
}

/** Sends every alert at its time, and publishes the candles as the demo does. */
const play = (
  clock: ReplayClock.ReplayClock,
  recordings: ReadonlyArray<Recording>,
  alerts: ReadonlyArray<TimedAlert>,
  user: Flow.User
) =>
  Effect.gen(function* () {
    const feed = yield* PriceFeed
    const coming = [...alerts]
    const sendUntil = (time: number) =>
      Effect.gen(function* () {
        for (let next = coming[0]; next !== undefined && next.at <= time; next = coming[0]) {
          coming.shift()
          clock.moveTo(next.at, next.at)
          yield* Flow.send(user.identity, user.signal, next.type, next)
          // An alert is judged alone, or together with others.
          if (next.at % 3 === 0) yield* Flow.caughtUp
        }
      })
    for (const { at, events } of moments(recordings)) {
      yield* sendUntil(at)
      clock.moveTo(at, at)
      yield* feed.publish(events)
    }
    const end = yield* Effect.clockWith((it) => it.currentTimeMillis)
    yield* sendUntil(Number.POSITIVE_INFINITY)
    yield* Flow.caughtUp
    clock.moveTo(end, end)
  })

const backtest = (
  strategy: StrategyId,
  user: Flow.User,
  recordings: ReadonlyArray<Recording>,
  alerts: ReadonlyArray<TimedAlert>,
  fillModel: FillModel | undefined
) =>
  Effect.gen(function* () {
    const { own } = yield* Decisions
    const { settings } = yield* (yield* StrategyStore).get(user.account, strategy)
    const catalogue = yield* (yield* Markets).catalogue
    return run({
      settings,
      balance: STARTING_BALANCES.USDT,
      series: recordings,
      alerts,
      own,
      fillModel,
      market: (id) => Option.getOrUndefined(catalogue.market(id)),
      fees: ({ exchange }) => {
        const { makerFeePercent, takerFeePercent } = catalogue.exchange(exchange)
        return { makerFeePercent, takerFeePercent }
      }
    })
  })

const tradeText = Schema.encodeSync(Trade)
const positionText = Schema.encodeSync(Position)

/** A back-test's results for a strategy as plain values. */
const ofBacktest = (result: BacktestResult) => ({
  trades: result.trades.map((trade) => tradeText(trade)),
  ignored: result.ignored.map(({ reason, time }) => `${time} ${reason}`),
  open: result.open.map((slot) => (slot.position === undefined ? "" : positionText(slot.position))),
  cash: Decimal.toText(result.state.cash),
  summary: summary(result.tally, result.today)
})

/** The same results of the strategy on the server. */
const ofServer = (strategy: StrategyId, user: Flow.User, alerts: ReadonlyArray<TimedAlert>) =>
  Effect.gen(function* () {
    const portfolio = yield* Portfolio
    const bot = yield* portfolio.bot(strategy)
    const ids = yield* Effect.forEach(alerts, (_, index) => Flow.alertOf(user.account, index + 1))
    const outcomes = yield* (yield* Timeline).outcomes(
      user.account,
      ids.map(({ id }) => id)
    )
    const reasons = new Map(
      outcomes.filter((it) => it.strategyId === strategy).map((it) => [Number(it.alertId), it.reason])
    )
    const { performance } = yield* (yield* Strategies).get(user.account, strategy)
    const { settings } = yield* (yield* StrategyStore).get(user.account, strategy)
    const rank = rankBy(settings)
    return {
      trades: (yield* portfolio.trades(strategy, { limit: 10_000 }))
        .map(({ trade }) => tradeText(trade))
        .reverse(),
      ignored: alerts.flatMap(({ at }, index) => {
        // The alert still waits for a price.
        const reason = reasons.get(index + 1) ?? "no_price"
        return outcomeOf(reason) === "acted" ? [] : [`${at} ${reason}`]
      }),
      open: Object.values(bot?.state.slots ?? {})
        .filter(({ position }) => position !== undefined)
        .sort((one, other) => rank(one) - rank(other))
        .map((slot) => (slot.position === undefined ? "" : positionText(slot.position))),
      cash: Decimal.toText(bot?.state.cash ?? Decimal.zero),
      summary: performance.summary
    }
  })

const none = () => ({
  ...{ strategies: 0, trades: 0, ignored: 0 },
  ...{ exits: new Set<string>(), reasons: new Set<string>() }
})
const usual = none()
const owned = none()
const nearer = none()

/** Fills nearer to life, on paper and in the back-test. */
const FILLS: ReadonlyArray<FillModel> = [
  { slippagePercent: 0.05, spreadPercent: 0.04, limits: "through" },
  { slippageTicks: 3, limits: "through" }
]

/** Own decisions: vetoes by the time, less of everything, another stop, and an exit at a profit or after a while. */
const HOOKS: Hooks = {
  entry: ({ now, price }, proposal) => {
    if (Math.floor(now / 600_000) % 5 === 0) return veto("not now")
    if (proposal.purpose === "dca" || proposal.alert % 3 > 0) return proposal
    return { ...proposal, sl: price * (proposal.side === "long" ? 0.99 : 1.01) }
  },
  size: ({ market }, amount) => amount * (market.pair.startsWith("BTC") ? 0.7 : 0.4),
  exit: ({ now, price }, { average, openedAt, side }) => {
    const [goal, at] = [average * (side === "long" ? 1.006 : 0.994), openedAt + 5_400_000]
    if (now >= at) return leave("held long enough")
    if (side === "long" ? price >= goal : price <= goal) return leave("enough profit")
    return hold(side === "long" ? { above: goal, at } : { below: goal, at })
  }
}

/** What a run needs of a server. */
type Needs =
  | Effect.Effect.Context<ReturnType<typeof play>>
  | Effect.Effect.Context<ReturnType<typeof backtest>>
  | Effect.Effect.Context<ReturnType<typeof ofServer>>
  | Effect.Effect.Context<ReturnType<typeof Flow.ann>>
  | Effect.Effect.Context<ReturnType<typeof Flow.aStrategy>>
  | Effect.Effect.Context<ReturnType<typeof recount>>
/** Starts a server for as long as it is used. */
type OnServer<E, R> = <A, F>(used: Effect.Effect<A, F, Needs>) => Effect.Effect<A, E | F, R>

/** A run: its seed, where it is counted, and the fill model of its server and back-tests. */
interface Run {
  readonly seed: number
  readonly totals: ReturnType<typeof none>
  readonly fills?: FillModel | undefined
}

const agrees = <E, R>({ fills, seed, totals }: Run, onServer: OnServer<E, R>) =>
  Effect.gen(function* () {
    const dice = Worlds.dice(seed)
    // The server and each back-test get the files in different sequences: only the strategy's own counts.
    const recordings = Worlds.shuffled(dice, recordingsOf(dice, yield* Effect.promise(recording)))
    const alerts = Worlds.alertsOf(dice, recordings, ALERTS)
    const begin = recordings.reduce((first, { columns }) => Math.min(first, columns.at[0] ?? first), Infinity)
    const clock = ReplayClock.make(begin, 1)
    yield* Effect.gen(function* () {
      const user = yield* Flow.ann(Worlds.strategyOf(dice))
      const others = yield* Effect.forEach(Array.from({ length: STRATEGIES - 1 }), () =>
        Flow.aStrategy(user.account, { ...Worlds.strategyOf(dice), signal_id: user.signal })
      )
      yield* play(clock, recordings, alerts, user)
      for (const strategy of [user.strategy, ...others]) {
        const files = Worlds.shuffled(dice, recordings)
        const tested = ofBacktest(yield* backtest(strategy, user, files, alerts, fills))
        const served = yield* ofServer(strategy, user, alerts)
        expect({ strategy, ...served }).toEqual({ strategy, ...tested })
        yield* recount(strategy, served.trades)
        const today = recordings.reduce((last, { columns }) => Math.max(last, columns.at.at(-1) ?? 0), 0)
        expect(
          Figures.differences(served.summary, Figures.figures("10000", begin, today, served.trades))
        ).toEqual([])
        totals.strategies++
        totals.trades += served.trades.length
        totals.ignored += served.ignored.length
        for (const { exitReason } of served.trades) totals.exits.add(exitReason)
        for (const line of served.ignored) totals.reasons.add(line.split(" ")[1] ?? "")
      }
    }).pipe(onServer, Effect.provide(Layer.setClock(clock)))
  })

const TITLE = "replay, live trading and back-test agree"
const SEEDS = [1, 2, 3, 4]
const worldOf = <Own>(own: Layer.Layer<Own>, fills: FillModel | undefined) =>
  Layer.provideMerge(Memory.layerWith(own, { patience: ENDLESS_PATIENCE, paperFills: fills }), own)

for (const { seed, hooks, fills } of [
  ...[1, 2, 3, 4].map((seed) => ({ seed, hooks: undefined, fills: undefined })),
  { seed: 5, hooks: HOOKS, fills: undefined },
  ...FILLS.map((fills, index) => ({ seed: 6 + index, hooks: undefined, fills }))
]) {
  const own = hooks === undefined ? Layer.empty : Decisions.with(hooks)
  it.live(
    `${TITLE}${hooks === undefined ? "" : " on own decisions"}${fills === undefined ? "" : " on fills nearer to life"}, and so do recomputed figures (seed ${seed})`,
    () => {
      const totals = hooks !== undefined ? owned : fills !== undefined ? nearer : usual
      return agrees({ seed, totals, fills }, (used) => Effect.provide(used, worldOf(own, fills)))
    },
    30_000
  )
}

onEach((storage) => {
  for (const seed of storage.isPostgres ? chosen(storage, SEEDS, 1) : SEEDS.slice(0, 1))
    it.live(
      `${TITLE}, and so do recomputed figures (seed ${seed})`,
      () =>
        Effect.flatMap(storage.place, ({ db }) =>
          agrees({ seed, totals: none() }, (used) => Disk.run(db, used, { patience: ENDLESS_PATIENCE }))
        ),
      300_000
    )
})

it.live("the runs above had enough strategies, trades and exits to compare", () =>
  Effect.sync(() => {
    expect(usual.strategies).toBe(60)
    expect(usual.trades).toBeGreaterThan(1000)
    expect([...usual.exits].sort()).toEqual([
      "auto_close",
      "balance_stop_loss",
      "balance_take_profit",
      "signal",
      "sl",
      "stop_loss",
      "take_profit",
      "tp",
      "trailing_sell"
    ])
    expect(usual.reasons.size).toBeGreaterThan(10)
    expect(owned.trades).toBeGreaterThan(100)
    expect(owned.exits).toContain("own_exit")
    expect(owned.exits).toContain("sl")
    expect(owned.reasons).toContain("vetoed")
    expect(nearer.trades).toBeGreaterThan(300)
    for (const exit of ["stop_loss", "take_profit", "tp", "signal"]) expect(nearer.exits).toContain(exit)
  })
)
