// Measures how far a verification is, in rows: checks pause after every stretch of rows.
import { PAUSE, STRETCH } from "../../trading/audit/Books.ts"
import type { Listener } from "../client/LongWork.ts"
import type { Check } from "./Fault.ts"

/** Tells how far the checks are that pass through it. */
export interface Meter {
  /** Whether anybody listens: only then rows are counted. */
  readonly isOn: boolean
  /** A check of about so many rows. */
  readonly part: (words: string, rows: number, check: Check) => Check
}

/** A meter for nobody. */
export const OFF: Meter = { isOn: false, part: (_words, _rows, check) => check }

/** A meter of so many rows in all parts. */
export const make = (total: number, listen: Listener): Meter => {
  let done = 0
  function* part(words: string, rows: number, check: Check): Check {
    const end = done + rows
    const tell = () => listen({ words, done: Math.min(done, total * 0.99), total })
    tell()
    for (const found of check) {
      if (found === PAUSE) {
        done = Math.min(end, done + STRETCH)
        tell()
      }
      yield found
    }
    done = end
  }
  return { isOn: true, part }
}
