// Reads the take profit and stop loss of an alert. A target under `tp` or `sl` must be a valid price; one under another
// known name of a price is used if valid; any other is warned of, because somebody may rely on it.
import * as Option from "effect/Option"
import { isPrice, PRICE_WORDS } from "../requests/Bounds.ts"
import { type Violation, violation } from "../requests/Violations.ts"
import type { Names } from "./AlertNames.ts"
import { unfilled } from "./Placeholder.ts"

const NUMBER = /^\s*\+?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?\s*$/
const NONE = Option.none<number>()

/** Names that clearly hold a price; others may hold a percentage or a distance. */
const PRICES = {
  tp: ["tp", "tp_price", "take_profit_price", "take_profit_limit_price"],
  sl: ["sl", "sl_price", "stop_loss_price", "stop_loss_stop_price"]
} as const

type Target = keyof typeof PRICES

/** A target price: by its own name (a violation if invalid), else by a known name for a price. */
export const read = (
  name: Target,
  value: unknown,
  names: Names,
  {
    errors,
    listener
  }: {
    readonly errors: Array<Violation>
    readonly listener?: ((field: Target, from: string) => void) | undefined
  }
): Option.Option<number> => {
  if (value !== undefined && value !== null) {
    const price = priceOf(value)
    if (Option.isNone(price)) errors.push(violation(name, errorOf(value)))
    else listener?.(name, name)
    return price
  }
  for (const from of PRICES[name]) {
    const price = priceOf(names.byName.get(from))
    if (Option.isNone(price)) continue
    listener?.(name, from)
    return price
  }
  return NONE
}

const priceOf = (value: unknown): Option.Option<number> => {
  const price = typeof value === "string" && NUMBER.test(value) ? Number(value) : value
  return typeof price === "number" && isPrice(price) ? Option.some(price) : NONE
}

const errorOf = (value: unknown): string => {
  if (Array.isArray(value)) return "is given more than once"
  const placeholder = typeof value === "string" ? unfilled(value) : undefined
  return placeholder ?? `must be ${PRICE_WORDS} such as 68000.5: leave it out where there is none`
}

/** Names under which other services send a stop loss or take profit. */
const ABOUT = {
  tp: /(?:^|_)(?:tp\d?|take_?profits?)(?:_|\d|$)/,
  sl: /(?:^|_)(?:sl|stop_?loss(?:es)?|stop_price)(?:_|\d|$)/
}
/** Names that a warning may repeat. */
const KNOWN = /^(?:sl_price|tp_price|stop_?loss|take_?profit)$/

/** Warns of a target that was not read: somebody may rely on it. */
export const warn = (
  names: Names,
  found: Readonly<Record<Target, boolean>>,
  warnings: Array<string>
): void => {
  for (const name of ["sl", "tp"] as const) {
    const others = found[name] ? [] : [...names.byName.keys()].filter((it) => ABOUT[name].test(it))
    const [first] = others
    if (first === undefined) continue
    const known = others.find((it) => KNOWN.test(it))
    const what =
      known ?? (name === "sl" ? "a stop loss under another name" : "a take profit under another name")
    warnings.push(`${what} was not read: a price for it goes into ${name}`)
  }
}
