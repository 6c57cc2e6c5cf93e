import { fieldOf } from "../ccxt/Failure.ts"
import type { ExchangeName } from "../domain/Market.ts"
import { CLASSES, type ErrorClass } from "./outcomes/classes.ts"
import { DOUBTS, REFUSALS } from "./outcomes/words.ts"
import type { Phase, Verdict } from "./Phase.ts"

/** `reason` is one of our own few words; `pauseMs` is how long everything of this exchange is to wait. */
export interface Outcome {
  readonly verdict: Verdict
  readonly reason: string
  readonly pauseMs: number
}

/** What came neither from the exchange nor, as a failure, from the library: whatever it was, nothing is known. */
const NO_ANSWER: Outcome = { verdict: "Unknown", reason: "its answer is not understood", pauseMs: 0 }

/** Of all the exchange's words, none is passed on: it may say anything, and at any length. */
export const outcomeOf = (exchange: ExchangeName, phase: Phase, error: unknown): Outcome => {
  const name = fieldOf(error, "name")
  if (!isClass(name)) return NO_ANSWER
  const row = CLASSES[name]
  const { pauseMs, reason } = row
  const words = String(fieldOf(error, "message"))
  const found = REFUSALS[exchange].find(({ says }) => says.test(words))
  const told = { reason: found?.reason ?? reason, pauseMs: found?.pauseMs ?? pauseMs }
  if (phase !== "place") return { verdict: found?.elsewhere ?? row[phase], ...told }
  // A doubt outweighs whatever class the library has for it: it may say that an earlier sending arrived.
  if (DOUBTS.some((says) => says.test(words))) return { verdict: "Unknown", ...told }
  if (found?.elsewhere !== undefined) return { verdict: "Unknown", ...told }
  return { verdict: found === undefined ? row.place : "Rejected", ...told }
}

const isClass = (name: unknown): name is ErrorClass =>
  typeof name === "string" && Object.hasOwn(CLASSES, name)
