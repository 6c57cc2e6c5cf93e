// The use case of the directory: what is public, with its settings, figures and record, as everybody may read it.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import type { StartingBalances } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type {
  Listed,
  ListedSignal,
  ListedStrategy,
  SignalQuery,
  StrategyQuery
} from "../../domain/directory/Listed.ts"
import type { EquityPoint, MarkedFigures } from "../../domain/equity/EquityFigures.ts"
import type { FullView } from "../../domain/requests/StrategyView.ts"
import type { Signal, SignalId, SignalNotFound } from "../../domain/Signal.ts"
import { StrategyNotFound } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { Tracked } from "../../trading/equity/Tracking.ts"
import { endingEquity, PERCENT_PLACES, rounded, type Tally } from "../../trading/Performance.ts"
import { EquityHistory } from "../equity/EquityHistory.ts"
import { StrategyFigures } from "../equity/StrategyFigures.ts"
import * as ShownStrategies from "../internal/ShownStrategies.ts"
import { Portfolio } from "../Portfolio.ts"
import { Signals } from "../Signals.ts"
import { Directory } from "./Directory.ts"
import type { PeriodRecord } from "./Recording.ts"

/**
 * A public strategy. `signal` is the one that it follows, where the reader may follow it too; `openPercent` what its open
 * positions would make, where that is known; `now` is when it was read (ms).
 */
export interface PublicStrategy extends ListedStrategy {
  readonly view: FullView
  readonly signal: Signal | undefined
  readonly openPercent: number | undefined
  readonly now: number
}

/** A public strategy with the periods of its record, its figures and its curve (times in seconds). */
export interface PublicDetail extends PublicStrategy {
  readonly periods: ReadonlyArray<PeriodRecord>
  readonly marked: MarkedFigures
  readonly points: ReadonlyArray<EquityPoint>
}

/** The most periods of a record that are shown. */
const PERIODS = 100
/** The most points of a curve. */
const POINTS = 500

/** Reads what is public, for any account. */
export class PublicPages extends Context.Tag("signalbox/services/directory/PublicPages")<
  PublicPages,
  {
    readonly strategies: (account: AccountId, query: StrategyQuery) => Effect.Effect<Listed<PublicStrategy>>
    readonly strategy: (account: AccountId, id: number) => Effect.Effect<PublicDetail, StrategyNotFound>
    readonly signals: (query: SignalQuery) => Effect.Effect<Listed<ListedSignal>>
    readonly signal: (id: number) => Effect.Effect<ListedSignal, SignalNotFound>
  }
>() {
  static readonly layer = (options: { readonly paper: StartingBalances }) =>
    Layer.effect(PublicPages, make(options.paper))
}

const make = Effect.fnUntraced(function* (paper: StartingBalances) {
  const directory = yield* Directory
  const signals = yield* Signals
  const figures = yield* StrategyFigures
  const portfolio = yield* Portfolio
  const history = yield* EquityHistory
  const shown = yield* ShownStrategies.make(paper)

  /** The signals among these that the account may follow. */
  const followable = Effect.fnUntraced(function* (account: AccountId, ids: ReadonlySet<SignalId>) {
    const found = new Map<SignalId, Signal>()
    for (const id of ids) {
      const signal = yield* Effect.option(signals.visible(account, id))
      if (signal._tag === "Some") found.set(id, signal.value)
    }
    return found
  })

  /** The equity marked to the market over that of completed trades, in percent. */
  const openPercents = Effect.fnUntraced(function* (rows: ReadonlyArray<ListedStrategy>) {
    const ids = rows.map(({ strategy }) => strategy.id)
    const tallies = yield* portfolio.tallies(ids)
    const latest = yield* history.latest(ids)
    return new Map(rows.flatMap((row) => openPercent(row, tallies, latest)))
  })

  const read = Effect.fnUntraced(function* (account: AccountId, rows: ReadonlyArray<ListedStrategy>) {
    const views = yield* shown(rows.map(({ strategy }) => strategy))
    const ids = rows.flatMap(({ strategy }) => strategy.settings.signalId ?? [])
    const known = yield* followable(account, new Set(ids))
    const open = yield* openPercents(rows)
    const now = yield* Clock.currentTimeMillis
    return rows.flatMap((row, index): ReadonlyArray<PublicStrategy> => {
      const view = views[index]
      const { id, settings } = row.strategy
      const signal = settings.signalId === undefined ? undefined : known.get(settings.signalId)
      return view === undefined ? [] : [{ ...row, view, signal, openPercent: open.get(id), now }]
    })
  })

  return PublicPages.of({
    strategies: Effect.fn("PublicPages.strategies")(function* (account, query) {
      const { rows, ...rest } = yield* directory.strategies(query)
      return { ...rest, rows: yield* read(account, rows) }
    }),
    strategy: Effect.fn("PublicPages.strategy")(function* (account, id) {
      const listed = yield* directory.strategy(id)
      const [row] = yield* read(account, [listed])
      if (row === undefined) return yield* new StrategyNotFound()
      const periods = yield* directory.periods(listed.strategy.id, PERIODS)
      const own = yield* figures.get(listed.strategy.account, id, POINTS)
      return { ...row, periods, marked: own.figures.marked, points: own.points }
    }),
    signals: directory.signals,
    signal: directory.signal
  })
})

/** The share by which a strategy's equity at market differs from that of its completed trades. */
const openPercent = (
  { record, strategy }: ListedStrategy,
  tallies: ReadonlyMap<StrategyId, Tally>,
  latest: ReadonlyMap<StrategyId, Tracked>
): ReadonlyArray<readonly [StrategyId, number]> => {
  const tally = tallies.get(strategy.id)
  const tracked = latest.get(strategy.id)
  const closed = tally === undefined ? 0 : Decimal.approximate(endingEquity(tally))
  if (tracked?.period !== record.period || closed <= 0) return []
  return [[strategy.id, rounded((tracked.state.equity / closed - 1) * 100, PERCENT_PLACES)]]
}
