// The port of back-tests over HTTP: a strategy tried on past prices, one run at a time for an account. Nothing is stored
// or changed. Its in-memory layer is in backtest/MemoryBacktester.ts, apart from the port, so that a server which runs
// back-tests elsewhere does not carry them.
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../domain/Account.ts"
import type { MarketId } from "../domain/Market.ts"
import type { Fields } from "../domain/requests/Form.ts"
import type { Violations } from "../domain/requests/Violations.ts"
import type { SignalNotFound } from "../domain/Signal.ts"
import type { StrategyNotFound } from "../domain/Strategy.ts"
import type { BacktestBusy, BacktestFailed, BacktestUnreadable } from "./backtest/Failures.ts"
import type { NotCompared, Wanted } from "./compare/Gathering.ts"

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
 * - Scope: a strategy, a signal or recorded alerts that the request names are the account's own, or public. A strategy
 *   that is compared, or tried with other settings, is the account's own.
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
    /**
     * Compares what the account's own strategy did with its test, over the recorded candles; `wanted` is the time, 90
     * days at most by default. It takes the room of a run. The result is the view of trading/compare as JSON text.
     */
    readonly compare: (
      account: AccountId,
      strategy: number,
      wanted: Wanted
    ) => Effect.Effect<string, BacktestBusy | BacktestFailed | NotCompared | StrategyNotFound>
    /**
     * Tries the account's own strategy with other settings over its recorded alerts and candles, and counts the try.
     * `body` is read once there is room: the fields of the request (domain/whatIf). The result is the view of
     * trading/whatIf as JSON text.
     */
    readonly whatIf: <E>(
      account: AccountId,
      strategy: number,
      body: Effect.Effect<Fields, E>
    ) => Effect.Effect<
      string,
      E | BacktestBusy | BacktestFailed | NotCompared | StrategyNotFound | Violations
    >
    /** Lists the recordings, sorted by exchange and pair. */
    readonly recordings: Effect.Effect<ReadonlyArray<Recording>>
  }
>() {}
