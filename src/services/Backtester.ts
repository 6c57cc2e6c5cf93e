import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { AccountId } from "../domain/Account.ts"
import type { MarketId } from "../domain/Market.ts"
import { type BacktestRequest, MAX_ALERTS } from "../domain/requests/BacktestRequest.ts"
import { Violations } from "../domain/requests/Violations.ts"
import type { SignalNotFound } from "../domain/Signal.ts"
import type { StrategyNotFound } from "../domain/Strategy.ts"
import * as AlertsFile from "../trading/backtest/AlertsFile.ts"
import { read } from "../trading/backtest/BacktestBody.ts"
import * as BacktestRun from "../trading/backtest/BacktestRun.ts"
import { type BacktestBusy, type BacktestFailed, BacktestUnreadable } from "./backtest/Failures.ts"
import * as Slots from "./backtest/Slots.ts"
import * as Wanted from "./backtest/Wanted.ts"
import { factsOf } from "./feeds/MarketFacts.ts"
import { Meters } from "./health/Meters.ts"
import { Journal } from "./Journal.ts"
import { Markets } from "./Markets.ts"
import { MemoryState } from "./records/MemoryState.ts"

export { BacktestBusy, BacktestFailed, BacktestUnreadable } from "./backtest/Failures.ts"

/** Prices that were recorded: times of the first minute and the last (ms), and the size of the files. */
export interface Recording extends MarketId {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/** Every way in which a back-test can be turned down. */
export type BacktestRejection =
  | BacktestBusy
  | BacktestFailed
  | BacktestUnreadable
  | Violations
  | StrategyNotFound
  | SignalNotFound

/**
 * Tries strategies on past prices, for people who look on: one at a time for an account. A port; nothing is stored or
 * changed.
 *
 * **Whoever implements it keeps**
 *
 * - Scope: a strategy, a signal or alerts on record that the request names are the account's own, or public ones.
 * - Bounds: while the account's own runs, or as many as there is room for, it fails with `BacktestBusy` and leaves
 *   `body` unread. A caller who goes away ends the run.
 * - Repeats: the same request on the same prices comes to the same result.
 * - Errors: every rule that the request breaks comes at once, as `Violations`; nothing else of the request is told
 *   back.
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
     * `body` is read once there is room: the request as JSON, in bytes. What came of it is the interface's view, as
     * JSON too: it may be a megabyte, which nobody between has to look into.
     */
    readonly run: <E>(
      account: AccountId,
      body: Effect.Effect<Uint8Array, E>
    ) => Effect.Effect<string, E | BacktestRejection>
    /** What was recorded, by exchange and pair. */
    readonly recordings: Effect.Effect<ReadonlyArray<Recording>>
  }
>() {
  /** In this very thread, and so only what takes a moment: there are no recordings, and few candles are enough. */
  static readonly layerMemory = Layer.effect(
    Backtester,
    Effect.gen(function* () {
      const markets = yield* Markets
      const wanted = yield* Wanted.make
      const onRecord = yield* recorded
      const { now } = yield* Meters
      const slot = Slots.make()
      // Files bear times of the world outside, whatever the time is in here.
      const calendar = Clock.make()

      const answer = Effect.fnUntraced(function* (account: AccountId, bytes: Uint8Array) {
        const startedAt = now()
        const request = yield* asked(bytes)
        const alerts =
          request.alerts._tag === "OnRecord" ? yield* onRecord(yield* wanted(account, request.alerts)) : []
        const view = BacktestRun.run(request, {
          ground: factsOf(yield* markets.catalogue),
          most: MAX_CANDLES_HERE,
          candles: () => Either.left("there are no recorded prices on this server: upload a file"),
          alerts: () => Either.right(alerts),
          now: calendar.unsafeCurrentTimeMillis(),
          elapsed: () => now() - startedAt
        })
        return Either.isLeft(view) ? yield* Violations.of(view.left) : JSON.stringify(view.right)
      })
      return {
        run: (account, body) =>
          slot(
            account,
            Effect.flatMap(Slots.limited(body), (bytes) => answer(account, bytes))
          ),
        recordings: Effect.succeed([])
      }
    })
  )
}

/** Candles that are walked without anybody else noticing. */
const MAX_CANDLES_HERE = 50_000

/** The request that bytes hold. */
const asked = (bytes: Uint8Array): Effect.Effect<BacktestRequest, BacktestUnreadable | Violations> =>
  Either.match(read(bytes), {
    onLeft: (error) =>
      typeof error === "string" ? new BacktestUnreadable({ message: error }) : Violations.of(error),
    onRight: Effect.succeed
  })

/** The alerts in memory that are wanted, oldest first. */
const recorded = Effect.gen(function* () {
  const journal = yield* Journal
  const { outcomes } = yield* MemoryState
  return Effect.fnUntraced(function* ({ account, from, signal, strategy, until }: Wanted.Wanted) {
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
