// The use case behind the dashboard's lists and pages of strategies: search, sort and page one's own; read one's own or
// a public one, of which only the public part is shown.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import { type StartingBalances, startingBalanceOf } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { FillModel } from "../../domain/fills/FillModel.ts"
import type { Summary } from "../../domain/Performance.ts"
import type { FullView } from "../../domain/requests/StrategyView.ts"
import type { Signal } from "../../domain/Signal.ts"
import type { Strategy, StrategyNotFound } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { paperFillsWarning, type Warning, warnings } from "../../trading/backtest/Warnings.ts"
import { roi, type Tally } from "../../trading/Performance.ts"
import { Bots } from "../Bots.ts"
import type { BotSnapshot } from "../engine/prices/BotSnapshots.ts"
import { Markets } from "../Markets.ts"
import { Performance } from "../Performance.ts"
import { Signals } from "../Signals.ts"
import { Strategies } from "../Strategies.ts"
import { type Followed, StrategyStore } from "../StrategyStore.ts"
import type { Some } from "./Trades.ts"

/** The keys that strategies are sorted by; ties by id. */
export type SortKey = "strategy_id" | "name" | "net_pnl" | "roi_pct" | "trade_count" | "open_positions"

/** Which strategies to list: those with `search` in their name, pairs or signal's name, sorted and paged. */
export interface Search {
  readonly search: string
  readonly order: SortKey
  readonly direction: "asc" | "desc"
  readonly offset: number
  readonly limit: number
}

/** A strategy as a line of a list. */
export interface Line extends Followed {
  readonly openPositions: number
  /** Absent where the strategy has no bot yet. */
  readonly standing: BotSnapshot | undefined
  readonly summary: Summary
}

/** One strategy with its details; of another account's, only the public part. */
export interface StrategyPage {
  readonly view: FullView
  readonly signal: Signal | undefined
  /** Absent for another account's strategy. */
  readonly own:
    | {
        readonly strategy: Strategy
        readonly standing: BotSnapshot | undefined
        readonly paper: Decimal.Decimal
      }
    | undefined
  readonly warnings: ReadonlyArray<Warning>
}

/** Reads strategies for the dashboard. */
export class StrategyPages extends Context.Tag("signalbox/services/records/StrategyPages")<
  StrategyPages,
  {
    readonly list: (account: AccountId, search: Search) => Effect.Effect<Some<Line>>
    /** Returns the caller's own strategy, or anybody's public one. */
    readonly get: (account: AccountId, id: number) => Effect.Effect<StrategyPage, StrategyNotFound>
  }
>() {
  static readonly layer = (options: Options) => Layer.effect(StrategyPages, make(options))
}

/** The starting balance on paper, by currency, and how paper fills are made nearer to life, if they are. */
export interface Options {
  readonly paper: StartingBalances
  readonly paperFills?: FillModel | undefined
}

/** A strategy with its sort keys. */
interface Ranked extends Followed {
  readonly tally: Tally
  readonly openPositions: number
  readonly standing: BotSnapshot | undefined
}

const make = Effect.fnUntraced(function* ({ paper, paperFills }: Options) {
  const store = yield* StrategyStore
  const strategies = yield* Strategies
  const signals = yield* Signals
  const markets = yield* Markets
  const performance = yield* Performance
  const bots = yield* Bots

  const ranked = (
    { signalName, strategy }: Followed,
    standings: ReadonlyMap<StrategyId, BotSnapshot>
  ): Ranked => {
    const standing = standings.get(strategy.id)
    const { createdAt, settings } = strategy
    return {
      strategy,
      signalName,
      tally: standing?.tally ?? performance.begin(startingBalanceOf(paper, settings.quote), createdAt * 1000),
      openPositions: standing?.holdings.length ?? 0,
      standing
    }
  }

  const list = Effect.fn("StrategyPages.list")(function* (account: AccountId, query: Search) {
    const { direction, limit, offset, order, search } = query
    const words = search.toLowerCase()
    const found = (yield* store.followed(account)).filter((it) => words === "" || isMeant(it, words))
    const standings = yield* bots.standings(found.map(({ strategy }) => strategy))
    const all = found.map((it) => ranked(it, standings)).sort(comparing[order])
    if (direction === "desc") all.reverse()
    const now = yield* Clock.currentTimeMillis
    const rows = all.slice(offset, offset + limit).map(({ tally, ...ranked }) => ({
      ...ranked,
      summary: performance.summary(tally, now)
    }))
    return { rows, total: all.length }
  })

  const followed = (account: AccountId, id: number | null) =>
    id === null
      ? Effect.succeed(undefined)
      : Effect.map(Effect.option(signals.visible(account, id)), Option.getOrUndefined)

  const get = Effect.fn("StrategyPages.get")(function* (account: AccountId, id: number) {
    const strategy = yield* store.visible(account, id)
    const view = yield* strategies.get(account, id)
    const signal = yield* followed(account, view.signal_id)
    if (strategy.account !== account) return { view, signal, own: undefined, warnings: [] }
    const { settings } = strategy
    const standing = (yield* bots.standings([strategy])).get(strategy.id)
    const exchange = (yield* markets.catalogue).exchange(settings.defaultExchange)
    const taker = settings.takerFeePercent ?? Decimal.toNumber(exchange.takerFeePercent)
    return {
      view,
      signal,
      own: { strategy, standing, paper: startingBalanceOf(paper, settings.quote) },
      warnings: [
        ...(paperFills === undefined || standing?.live !== undefined ? [] : [paperFillsWarning(paperFills)]),
        ...warnings(settings, taker)
      ]
    }
  })

  return { list, get }
})

const isMeant = ({ signalName, strategy }: Followed, words: string): boolean => {
  const { exchanges, name } = strategy.settings
  const has = (text: string) => text.toLowerCase().includes(words)
  return (
    has(name) ||
    (signalName !== undefined && has(signalName)) ||
    exchanges.some(({ pairs }) => pairs.some(has))
  )
}

const byId = (one: Ranked, other: Ranked): number => one.strategy.id - other.strategy.id
const by =
  (value: (it: Ranked) => number) =>
  (one: Ranked, other: Ranked): number =>
    value(one) - value(other) || byId(one, other)

const comparing: Readonly<Record<SortKey, (one: Ranked, other: Ranked) => number>> = {
  strategy_id: byId,
  name: (one, other) => alphabetic(one.strategy, other.strategy) || byId(one, other),
  net_pnl: by(({ tally }) => Decimal.approximate(tally.net)),
  roi_pct: by(({ tally }) => roi(tally)),
  trade_count: by(({ tally }) => tally.count),
  open_positions: by(({ openPositions }) => openPositions)
}

const alphabetic = (one: Strategy, other: Strategy): number => {
  const [left, right] = [one.settings.name.toLowerCase(), other.settings.name.toLowerCase()]
  return left < right ? -1 : left > right ? 1 : 0
}
