// Fills nearer to life as typed in the form of a back-test, and what the request makes of them. Pure functions.
import {
  isLatency,
  isPercent,
  isTicks,
  LATENCY_WORDS,
  PERCENT_WORDS,
  TICKS_WORDS
} from "../../../domain/fills/FillWords.ts"
import { ambiguityHint, numberOf } from "../parts/reader/number.ts"
import type { Errors } from "../strategies/form.ts"
import type { Request } from "../wire.ts"

type Document = NonNullable<Request<"backtests", "run">["payload"]["fills"]>

/** As typed; empty is off. */
export interface Typed {
  readonly slippage: string
  readonly slippageIn: "percent" | "ticks"
  readonly spread: string
  readonly spreadIn: "percent" | "recorded"
  readonly latency: string
  readonly limits: "touched" | "through"
  readonly hasFunding: boolean
}

/** Nothing is on. */
export const OFF: Typed = {
  slippage: "",
  slippageIn: "percent",
  spread: "",
  spreadIn: "percent",
  latency: "",
  limits: "touched",
  hasFunding: false
}

/** The request's part; undefined while all of it is off. */
export const documentOf = (typed: Typed): Document | undefined => {
  const { hasFunding, latency, limits, slippage, slippageIn, spread, spreadIn } = typed
  const document: Document = {
    ...onlyOn(slippageIn === "percent" ? "slippage_percent" : "slippage_ticks", slippage),
    ...(spreadIn === "recorded" ? { spread: spreadIn } : onlyOn("spread_percent", spread)),
    ...onlyOn("latency_ms", latency),
    ...(limits === "through" ? { limits } : {}),
    ...(hasFunding ? { funding: true } : {})
  }
  return Object.keys(document).length === 0 ? undefined : document
}

const onlyOn = (
  name: "slippage_percent" | "slippage_ticks" | "spread_percent" | "latency_ms",
  text: string
): Document => {
  const value = numberOf(text)
  return value === undefined || value === 0 ? {} : { [name]: value }
}

/** Errors that are found without the server, by the names of the request. */
export const errorsOf = ({ latency, slippage, slippageIn, spread, spreadIn }: Typed): Errors => ({
  ...(slippageIn === "percent"
    ? wrong("slippage_percent", slippage, isPercent, PERCENT_WORDS)
    : wrong("slippage_ticks", slippage, isTicks, TICKS_WORDS)),
  ...(spreadIn === "recorded" ? {} : wrong("spread_percent", spread, isPercent, PERCENT_WORDS)),
  ...wrong("latency_ms", latency, isLatency, LATENCY_WORDS)
})

const wrong = (name: string, text: string, is: (value: number) => boolean, words: string): Errors => {
  const value = numberOf(text)
  return value === undefined || is(value) ? {} : { [`fills.${name}`]: [`${words}${ambiguityHint(text)}`] }
}
