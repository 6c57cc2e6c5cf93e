// Counts trials and keeps the first failures.
import type { Row } from "./suite.ts"

const MAX_DETAILS = 12
const MAX_DETAIL_LENGTH = 400

export class Tally {
  trials = 0
  failures = 0
  private readonly details: Array<string> = []

  /** Records one trial. `saw` describes a failure. */
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
