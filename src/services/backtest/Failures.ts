import * as Data from "effect/Data"

/** As many back-tests run as may. */
export class BacktestBusy extends Data.TaggedError("BacktestBusy")<{ readonly whose: "account" | "server" }> {
  override get message() {
    return this.whose === "account"
      ? "a back-test of yours is running: wait for it, or stop it"
      : "as many back-tests are running as this server runs at once: try again in a minute"
  }
}

/** A back-test came to no end. */
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
    "it took more memory than this server has for it and was stopped: choose fewer candles, or signalbox backtest, which has no limit",
  ended: "it came to no end: choose fewer candles, or signalbox backtest"
} as const

/** What was sent is no request for a back-test at all. */
export class BacktestUnreadable extends Data.TaggedError("BacktestUnreadable")<{
  readonly message: string
}> {}
