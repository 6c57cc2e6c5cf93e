// The port of an account's results by day, with its in-memory layer. The sums are updated with each commit, so that
// reading costs the same however many trades there were.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import type { Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { QuoteCurrency, quoteOf } from "../../domain/Market.ts"
import { Journal } from "../Journal.ts"
import { MemoryState } from "./MemoryState.ts"

const DAY_MS = 86_400_000

/** The UTC day of a time (ms), counted from the epoch. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS)
/** When a day starts (ms). */
export const beginOf = (day: number): number => day * DAY_MS

/** The net result of the trades closed on one day, in one currency, on paper or with real money. */
export interface DayResult {
  readonly currency: QuoteCurrency
  readonly live: boolean
  readonly day: number
  readonly net: Decimal.Decimal
}

/** How often strategies gave a reason. */
export interface ReasonCount {
  readonly reason: Reason
  readonly count: number
}

/**
 * The results of all strategies of an account by UTC day, deleted ones included. A port: updated with each commit of
 * the Portfolio, so that reading costs the same however many trades and alerts there were.
 *
 * **An implementation keeps**
 *
 * - Atomicity: a trade, an outcome or an alert counts from the moment its commit ends, and counts once.
 * - Exactness: sums are exact decimals by day and currency; a trade belongs to the day it was closed on, an outcome to
 *   the day it was given on. Results on paper and with real money are never added together.
 * - Scope: an account's own, including its deleted strategies and earlier periods.
 * - Errors: none; an account without trades has no days.
 *
 * **Proved by** `ResultsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Results extends Context.Tag("signalbox/services/records/Results")<
  Results,
  {
    /** Lists net results by currency, then paper first, then by day; days without a trade are missing. */
    readonly days: (account: AccountId) => Effect.Effect<ReadonlyArray<DayResult>>
    /** Counts the outcomes that the account's strategies gave on a day, by reason; absent reasons were not given. */
    readonly outcomes: (account: AccountId, day: number) => Effect.Effect<ReadonlyArray<ReasonCount>>
    /** Counts the alerts received since the start of a day. */
    readonly received: (account: AccountId, day: number) => Effect.Effect<number>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Results,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const journal = yield* Journal
      return Results.of({
        days: Effect.fn("Results.days")((account) =>
          Effect.sync(() => {
            const days = new Map<string, DayResult>()
            for (const { account: owner, trade } of state.trades) {
              if (owner !== account) continue
              const currency = QuoteCurrency.make(quoteOf(trade.pair))
              const day = dayOf(trade.closedAt)
              const live = trade.live === true
              const key = `${currency} ${live} ${day}`
              const net = days.get(key)?.net ?? Decimal.zero
              days.set(key, { currency, live, day, net: Decimal.add(net, trade.pnl) })
            }
            return [...days.values()].sort(
              (one, other) =>
                (one.currency === other.currency ? 0 : one.currency < other.currency ? -1 : 1) ||
                Number(one.live) - Number(other.live) ||
                one.day - other.day
            )
          })
        ),
        outcomes: Effect.fn("Results.outcomes")((account, day) =>
          Effect.sync(() => {
            const counts = new Map<Reason, number>()
            for (const it of state.outcomes.values())
              if (it.account === account && dayOf(it.at) === day)
                counts.set(it.reason, (counts.get(it.reason) ?? 0) + 1)
            return Array.from(counts, ([reason, count]) => ({ reason, count }))
          })
        ),
        received: Effect.fn("Results.received")((account, day) =>
          Effect.map(
            journal.list(account, { limit: Number.MAX_SAFE_INTEGER }),
            (alerts) => alerts.filter(({ receivedAt }) => dayOf(receivedAt) >= day).length
          )
        )
      })
    })
  )
}
