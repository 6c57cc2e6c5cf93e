// The port of back-tests over HTTP, with its in-memory layer: a strategy tried on past prices, one run at a time for an
// account. Nothing is stored or changed.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { AccountId } from "../domain/Account.ts"
import type { MarketId } from "../domain/Market.ts"
import type { VenueList } from "../domain/market/VenueList.ts"
import { type BacktestRequest, MAX_ALERTS } from "../domain/requests/BacktestRequest.ts"
import { Violations } from "../domain/requests/Violations.ts"
import type { SignalNotFound } from "../domain/Signal.ts"
import type { StrategyNotFound } from "../domain/Strategy.ts"
import * as AlertsFile from "../trading/backtest/AlertsFile.ts"
import { read } from "../trading/backtest/BacktestBody.ts"
import * as BacktestRun from "../trading/backtest/BacktestRun.ts"
import * as AlertAccess from "./backtest/AlertAccess.ts"
import { type BacktestBusy, type BacktestFailed, BacktestUnreadable } from "./backtest/Failures.ts"
import * as Slots from "./backtest/Slots.ts"
import { Decisions } from "./engine/Decisions.ts"
import { factsOf } from "./feeds/MarketFacts.ts"
import { Venues } from "./feeds/Venues.ts"
import { Meters } from "./health/Meters.ts"
import { Journal } from "./Journal.ts"
import { Markets } from "./Markets.ts"
import { MemoryState } from "./records/MemoryState.ts"

export { BacktestBusy, BacktestFailed, BacktestUnreadable } from "./backtest/Failures.ts"

/** Recorded prices of a market: times of the first and the last minute (ms), and the size of the files. */
export interface Recording extends MarketId {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/** Every way in which a back-test can be refused. */
export type BacktestRejection =
  | BacktestBusy
  | BacktestFailed
  | BacktestUnreadable
  | Violations
  | StrategyNotFound
  | SignalNotFound

/**
 * Tries strategies on past prices at a caller's request, one at a time for an account. A port; nothing is stored or
 * changed.
 *
 * **An implementation keeps**
 *
 * - Scope: a strategy, a signal or recorded alerts that the request names are the account's own, or public.
 * - Bounds: while the account's own run goes on or is sent, or as many runs as there is room for, it fails with
 *   `BacktestBusy` and leaves `body` unread. A body that is still being sent takes no run's room. A run ends when its
 *   caller goes away.
 * - Repeats: the same request on the same prices has the same result.
 * - Errors: all rules that the request breaks come at once, as `Violations`; nothing else of the request is echoed.
 *
 * **Proved by** `BacktesterContract` of `signalbox/testing`; its results are those of `signalbox/trading/Backtest`, which
 * are tested there.
 *
 * @category Ports
 */
export class Backtester extends Context.Tag("signalbox/services/Backtester")<
  Backtester,
  {
    /**
     * Runs a back-test. `body` is read once there is room: the request as JSON, in bytes. The result is the response
     * body as JSON text: it may be a megabyte, and nothing in between has to parse it.
     */
    readonly run: <E>(
      account: AccountId,
      body: Effect.Effect<Uint8Array, E>
    ) => Effect.Effect<string, E | BacktestRejection>
    /** Lists the recordings, sorted by exchange and pair. */
    readonly recordings: Effect.Effect<ReadonlyArray<Recording>>
  }
>() {
  /** Runs in the calling thread, so only small back-tests are allowed. There are no recordings. */
  static readonly layerMemory = Layer.effect(
    Backtester,
    Effect.gen(function* () {
      const markets = yield* Markets
      const wanted = yield* AlertAccess.make
      const onRecord = yield* recorded
      const { now } = yield* Meters
      const venues = yield* Venues
      const { own } = yield* Decisions
      const slot = Slots.make()
      // Files carry real times, whatever the test clock says.
      const calendar = Clock.make()

      const answer = Effect.fnUntraced(function* (account: AccountId, bytes: Uint8Array) {
        const startedAt = now()
        const request = yield* requestOf(bytes, venues)
        const alerts =
          request.alerts._tag === "OnRecord" ? yield* onRecord(yield* wanted(account, request.alerts)) : []
        const view = BacktestRun.run(request, {
          ground: factsOf(yield* markets.catalogue),
          most: MAX_CANDLES_HERE,
          candles: () => Either.left("there are no recorded prices on this server: upload a file"),
          alerts: () => Either.right(alerts),
          own,
          now: calendar.unsafeCurrentTimeMillis(),
          elapsed: () => now() - startedAt
        })
        return Either.isLeft(view) ? yield* Violations.of(view.left) : JSON.stringify(view.right)
      })
      return {
        run: (account, body) => slot(account, body, (bytes) => answer(account, bytes)),
        recordings: Effect.succeed([])
      }
    })
  )
}

/** The most candles that may be walked in the calling thread without delaying others. */
const MAX_CANDLES_HERE = 50_000

/** Parses the request. */
const requestOf = (
  bytes: Uint8Array,
  venues: VenueList
): Effect.Effect<BacktestRequest, BacktestUnreadable | Violations> =>
  Either.match(read(bytes, venues), {
    onLeft: (error) =>
      typeof error === "string" ? new BacktestUnreadable({ message: error }) : Violations.of(error),
    onRight: Effect.succeed
  })

/** The recorded alerts that the request wants, oldest first. */
const recorded = Effect.gen(function* () {
  const journal = yield* Journal
  const { outcomes } = yield* MemoryState
  return Effect.fnUntraced(function* ({ account, from, signal, strategy, until }: AlertAccess.AlertAccess) {
    const answered = [...outcomes.values()].filter(({ strategyId }) => strategyId === strategy)
    const alerts =
      strategy === undefined
        ? [...(yield* journal.list(account, { limit: MAX_ALERTS + 1 }))].reverse()
        : yield* journal.among(answered.map(({ alertId }) => alertId))
    return alerts
      .filter(({ receivedAt, signalId }) => signalId === signal && receivedAt >= from && receivedAt < until)
      .flatMap(AlertsFile.timedOf)
  })
})
