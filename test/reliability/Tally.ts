// Counts trials and keeps the first failures.
import type { Row } from "./suite.ts"

const MAX_DETAILS = 12
const MAX_DETAIL_LENGTH = 400

export class Tally {
  trials = 0
  failures = 0
  private late = 0
  private readonly details: Array<string> = []

  /** Records one trial. `saw` describes a failure. */
  check(holds: boolean, saw: () => string): void {
    this.trials++
    if (holds) return
    this.failures++
    if (this.details.length < MAX_DETAILS) this.details.push(saw().slice(0, MAX_DETAIL_LENGTH))
  }

  /** Records one trial of a time (ms) or of memory (MB). Where it is missed, the suite is measured once more. */
  within(taken: number, allowed: number, saw: () => string): void {
    const holds = taken <= allowed
    if (!holds) this.late++
    this.check(holds, saw)
  }

  row(test: string, worst: string): Row {
    const { details, failures, trials } = this
    return { test, trials, failures, late: failures > 0 && failures === this.late, worst, details }
  }
}
