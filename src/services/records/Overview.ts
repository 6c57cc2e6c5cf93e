// The use case behind the dashboard's first page: an account at a glance, read from sums and counters that are kept up
// to date anyway.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import type { ExchangeAccountId } from "../../domain/Arming.ts"
import { type StartingBalances, startingBalanceOf } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { QuoteCurrency } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { Holding } from "../../trading/bot/BotStatus.ts"
import { Bots } from "../Bots.ts"
import type { BotSnapshot } from "../engine/prices/BotSnapshots.ts"
import { Venues } from "../feeds/Venues.ts"
import type { ClusterWhole } from "../health/ClusterReading.ts"
import { Meters } from "../health/Meters.ts"
import { Refusals } from "../health/Refusals.ts"
import { type Room, Storage } from "../health/Storage.ts"
import { Journal } from "../Journal.ts"
import { type SignalCount, Signals } from "../Signals.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { type FeedHealth, Tickers } from "../Tickers.ts"
import { beginOf, type DayResult, dayOf, type ReasonCount, Results } from "./Results.ts"

/** The most days of results that are returned. */
export const MAX_DAYS = 400
/** The most open positions that are listed. */
export const MAX_POSITIONS = 200

/**
 * Totals of the strategies of one currency: those on paper, or those of one exchange account. `days` holds the net
 * result up to the end of each day (`at`: its start, in ms).
 */
export interface CurrencyTotals {
  readonly currency: QuoteCurrency
  /** Absent on paper. */
  readonly account: ExchangeAccountId | undefined
  readonly strategies: number
  readonly starting: Decimal.Decimal
  readonly net: Decimal.Decimal
  readonly equity: Decimal.Decimal
  readonly openPnl: number
  readonly trades: number
  readonly days: ReadonlyArray<{ readonly at: number; readonly net: Decimal.Decimal }>
}

/** An open position with its strategy. */
export interface Held {
  readonly strategy: Strategy
  readonly standing: BotSnapshot
  readonly holding: Holding
}

/** An account at a glance. Times in ms. */
export interface Glance {
  readonly now: number
  readonly strategies: SignalCount
  readonly signals: SignalCount
  readonly currencies: ReadonlyArray<CurrencyTotals>
  /** Newest first, at most `MAX_POSITIONS`. */
  readonly positions: ReadonlyArray<Held>
  readonly positionsTotal: number
  readonly alerts: {
    readonly received: number
    readonly refused: number
    readonly outcomes: ReadonlyArray<ReasonCount>
  }
  readonly prices: { readonly describe: string; readonly feeds: ReadonlyArray<FeedHealth> }
  readonly storage: {
    readonly isWritable: boolean
    readonly room: Room
    readonly undecided: number
    readonly waiting: number
  }
  /** Undefined on a server that is alone, and while nothing can be read of the cluster. */
  readonly cluster: ClusterWhole | undefined
}

/** Reads an account at a glance. */
export class Overview extends Context.Tag("signalbox/services/records/Overview")<
  Overview,
  { readonly of: (account: AccountId) => Effect.Effect<Glance> }
>() {
  static readonly layer = (options: Options) => Layer.effect(Overview, make(options))
}

/** The starting balance on paper, by currency. */
export interface Options {
  readonly paper: StartingBalances
}

const make = Effect.fnUntraced(function* ({ paper }: Options) {
  const store = yield* StrategyStore
  const signals = yield* Signals
  const bots = yield* Bots
  const results = yield* Results
  const refusals = yield* Refusals
  const journal = yield* Journal
  const tickers = yield* Tickers
  const storage = yield* Storage
  const meters = yield* Meters
  const { quoteCurrencies } = yield* Venues

  const stored = Effect.gen(function* () {
    const { cursor, waitingAlerts } = meters.engine.reading() ?? { cursor: 0, waitingAlerts: 0 }
    const last = yield* journal.last
    return {
      isWritable: yield* journal.writable,
      room: yield* storage.room,
      undecided: Math.max(0, last - cursor),
      waiting: waitingAlerts
    }
  })

  const today = Effect.fnUntraced(function* (account: AccountId, now: number) {
    const day = dayOf(now)
    const outcomes = yield* results.outcomes(account, day)
    return {
      received: yield* results.received(account, day),
      refused: refusals.today(account, now),
      outcomes: [...outcomes].sort((one, other) => other.count - one.count)
    }
  })

  const of = Effect.fn("Overview.of")(function* (account: AccountId) {
    const now = yield* Clock.currentTimeMillis
    const strategies = (yield* store.followed(account)).map(({ strategy }) => strategy)
    const standings = yield* bots.standings(strategies)
    const held = strategies.flatMap((strategy) => {
      const standing = standings.get(strategy.id)
      return standing === undefined
        ? []
        : standing.holdings.map((holding) => ({ strategy, standing, holding }))
    })
    const positions = held.sort((one, other) => other.holding.openedAt - one.holding.openedAt)
    return {
      now,
      strategies: {
        total: strategies.length,
        active: strategies.filter(({ settings }) => settings.active).length
      },
      signals: yield* signals.count(account),
      currencies: totals(
        { strategies, standings, days: yield* results.days(account) },
        paper,
        quoteCurrencies
      ),
      positions: positions.slice(0, MAX_POSITIONS),
      positionsTotal: positions.length,
      alerts: yield* today(account, now),
      prices: { describe: tickers.describe, feeds: yield* tickers.health },
      storage: yield* stored,
      cluster: meters.cluster.reading()?.whole
    }
  })

  return { of }
})

/** The facts of one strategy that totals add up. */
interface Totalled {
  readonly strategies: ReadonlyArray<Strategy>
  readonly standings: ReadonlyMap<Strategy["id"], BotSnapshot>
  readonly days: ReadonlyArray<DayResult>
}

/**
 * The totals of each currency that a strategy trades in, or once had a result in: paper first. Listed currencies come
 * first.
 */
const totals = (
  { days, standings, strategies }: Totalled,
  paper: StartingBalances,
  listed: ReadonlyArray<QuoteCurrency>
): ReadonlyArray<CurrencyTotals> => {
  const used = [...strategies.map(({ settings }) => settings.quote), ...days.map(({ currency }) => currency)]
  return [...new Set([...listed, ...used])].flatMap((currency) => {
    const own = strategies.filter(({ settings }) => settings.quote === currency)
    const accountOf = ({ id }: Strategy) => standings.get(id)?.live?.account
    const made = days.filter((day) => day.currency === currency && !day.live)
    const accounts = [...own.map(accountOf), ...(made.length === 0 ? [] : [undefined])]
    return [...new Set(accounts)]
      .sort((one, other) => (one ?? 0) - (other ?? 0))
      .map((account) => ({
        currency,
        account,
        ...summed(
          own.filter((it) => accountOf(it) === account).map(({ id }) => standings.get(id)),
          startingBalanceOf(paper, currency)
        ),
        days: account === undefined ? summedUp(made) : []
      }))
  })
}

const summed = (all: ReadonlyArray<BotSnapshot | undefined>, paper: Decimal.Decimal) => {
  let starting = Decimal.zero
  let net = Decimal.zero
  let equity = Decimal.zero
  let openPnl = 0
  let trades = 0
  for (const standing of all) {
    starting = Decimal.add(starting, standing?.tally.starting ?? paper)
    net = Decimal.add(net, standing?.tally.net ?? Decimal.zero)
    equity = Decimal.add(equity, standing?.equity ?? paper)
    openPnl += standing?.openPnl ?? 0
    trades += standing?.tally.count ?? 0
  }
  return { strategies: all.length, starting, net, equity, openPnl, trades }
}

const summedUp = (days: ReadonlyArray<DayResult>): CurrencyTotals["days"] => {
  let net = Decimal.zero
  const all = days.map((day) => {
    net = Decimal.add(net, day.net)
    return { at: beginOf(day.day), net }
  })
  return all.slice(-MAX_DAYS)
}
