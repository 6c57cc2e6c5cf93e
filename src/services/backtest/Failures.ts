// The errors of back-tests over HTTP, with messages that say what to do.
import * as Data from "effect/Data"

/** The bound on concurrent back-tests is reached, for the account or for the server. */
export class BacktestBusy extends Data.TaggedError("BacktestBusy")<{ readonly whose: "account" | "server" }> {
  override get message() {
    return this.whose === "account"
      ? "a back-test of yours is being sent or is running: wait for it, or stop it"
      : "as many back-tests are being sent or are running as this server takes at once: try again in a minute"
  }
}

/** A back-test took too long or was stopped. */
export class BacktestFailed extends Data.TaggedError("BacktestFailed")<{
  readonly reason: "too_long" | "too_large" | "ended"
}> {
  override get message() {
    return WORDS[this.reason]
  }
}

const WORDS = {
  too_long:
    "it took longer than a minute and was stopped: choose fewer candles, or signalbox backtest, which has no limit",
  too_large:
    "it took more memory than this server gives it and was stopped: choose fewer candles, or signalbox backtest, which has no limit",
  ended: "it did not finish: choose fewer candles, or signalbox backtest"
} as const

/** The request is not a back-test request at all. */
export class BacktestUnreadable extends Data.TaggedError("BacktestUnreadable")<{
  readonly message: string
}> {}
