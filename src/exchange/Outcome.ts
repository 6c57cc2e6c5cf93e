// Decides the outcome of a failed request for its order. Only an answer that certainly precedes acceptance is
// `Rejected`; anything doubtful is `Unknown` and must be looked up.
import { descriptors } from "../ccxt/descriptors.ts"
import { fieldOf } from "../ccxt/Field.ts"
import type { KnownExchange } from "../domain/Market.ts"
import { CLASSES, type ErrorClass } from "./outcomes/classes.ts"
import { DOUBTS } from "./outcomes/doubts.ts"
import type { Phase, Verdict } from "./Phase.ts"

/** The verdict, a reason in our own words, and how long to send nothing more to the exchange (ms). */
export interface Outcome {
  readonly verdict: Verdict
  readonly reason: string
  readonly pauseMs: number
}

/** An error of neither the exchange nor ccxt: nothing is known. */
const NO_ANSWER: Outcome = { verdict: "Unknown", reason: "its answer is not understood", pauseMs: 0 }

/** The outcome of an error. Nothing of the exchange's text is passed on; it may say anything at any length. */
export const outcomeOf = (exchange: KnownExchange, phase: Phase, error: unknown): Outcome => {
  const name = fieldOf(error, "name")
  if (!isClass(name)) return NO_ANSWER
  const row = CLASSES[name]
  const { pauseMs, reason } = row
  const words = String(fieldOf(error, "message"))
  const { doubts, refusals } = descriptors[exchange]
  const found = refusals.find(({ says }) => says.test(words))
  const outcome = { reason: found?.reason ?? reason, pauseMs: found?.pauseMs ?? pauseMs }
  const isMissing = found?.isMissing === true
  if (phase !== "place") return { verdict: isMissing ? "Missing" : row[phase], ...outcome }
  // Doubt outweighs ccxt's error class: the text may mean that an earlier sending arrived.
  if ([...DOUBTS, ...doubts].some((says) => says.test(words))) return { verdict: "Unknown", ...outcome }
  if (isMissing) return { verdict: "Unknown", ...outcome }
  return { verdict: found === undefined ? row.place : "Rejected", ...outcome }
}

const isClass = (name: unknown): name is ErrorClass =>
  typeof name === "string" && Object.hasOwn(CLASSES, name)
