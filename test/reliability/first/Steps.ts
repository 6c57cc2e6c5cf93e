// Runs steps in order, each a row with its time. After a failed step the rest fail untried.
import type { Row } from "../suite.ts"

export class Steps {
  readonly rows: Array<Row> = []
  readonly #suite: string
  #isLost = false

  constructor(suite = "first") {
    this.#suite = suite
  }

  /** `act` returns what to print. */
  async take(title: string, act: () => Promise<string | undefined>): Promise<void> {
    const began = performance.now()
    const flaw = { text: "" }
    let note: string | undefined
    if (this.#isLost) flaw.text = "not tried: a step before it failed"
    else
      try {
        note = await act()
      } catch (error) {
        flaw.text = error instanceof Error ? error.message : String(error)
        this.#isLost = true
      }
    const took = inWords(performance.now() - began)
    this.rows.push({
      test: `${this.#suite} ${this.rows.length + 1}: ${title}`,
      trials: 1,
      failures: flaw.text === "" ? 0 : 1,
      worst: note === undefined ? took : `${took}; ${note}`,
      details: flaw.text === "" ? [] : [flaw.text.slice(0, 1000)]
    })
  }

  /** All of it together. */
  total(title: string, began: number, allowedMs: number): void {
    const took = performance.now() - began
    const isLate = took > allowedMs
    this.rows.push({
      test: `${this.#suite}: ${title}`,
      trials: 1,
      failures: isLate ? 1 : 0,
      late: isLate,
      worst: `${inWords(took)}, ${inWords(allowedMs)} allowed`,
      details: isLate ? [`it took ${inWords(took)}`] : []
    })
  }
}

export const inWords = (millis: number): string =>
  millis < 1000 ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(1)} s`
