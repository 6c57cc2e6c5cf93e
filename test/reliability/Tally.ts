import type { Row } from "./suite.ts"

const MAX_DETAILS = 12
const MAX_DETAIL_LENGTH = 400

/** Counts what was tried, and keeps the first few things that went wrong. */
export class Tally {
  trials = 0
  failures = 0
  private readonly details: Array<string> = []

  /** One trial. `saw` is asked only where it failed. */
  check(holds: boolean, saw: () => string): void {
    this.trials++
    if (holds) return
    this.failures++
    if (this.details.length < MAX_DETAILS) this.details.push(saw().slice(0, MAX_DETAIL_LENGTH))
  }

  row(test: string, worst: string): Row {
    return { test, trials: this.trials, failures: this.failures, worst, details: this.details }
  }
}
