// Builds the alert that the page sends, from fields or from a pasted message. Pure.
import { numberOf } from "../parts/reader/number.ts"

export const TYPES = ["buy", "sell", "long", "short", "close_long", "close_short"] as const

/** An alert's fields as typed. */
export interface Typed {
  readonly type: string
  readonly coin: string
  readonly quote: string
  readonly tp: string
  readonly sl: string
}

/** The request: query and body. */
export interface Sending {
  readonly query: string
  readonly body: string
}

/** The request, or errors by field. */
export type Built =
  | { readonly sending: Sending }
  | { readonly errors: Readonly<Record<string, ReadonlyArray<string>>> }

/** An alert from fields; `test` makes the server only evaluate it. */
export const fromFields = (signal: number, typed: Typed, test: boolean): Built => {
  const tp = numberOf(typed.tp)
  const sl = numberOf(typed.sl)
  const errors = {
    ...(Number.isNaN(tp) ? { tp: ["must be a number, such as 62000.5"] } : {}),
    ...(Number.isNaN(sl) ? { sl: ["must be a number, such as 58000.5"] } : {})
  }
  if (Object.keys(errors).length > 0) return { errors }
  const fields = {
    signal_id: signal,
    coin: typed.coin.trim(),
    quote_currency: typed.quote.trim(),
    type: typed.type,
    ...(tp === undefined ? {} : { tp }),
    ...(sl === undefined ? {} : { sl }),
    ...(test ? { test: true } : {})
  }
  return { sending: { query: "", body: JSON.stringify(fields) } }
}

const OWN_TEST = "remove the field test from the message: the buttons here decide whether it is a test"
const EMPTY = "paste the message of an alert"

/**
 * An alert from a pasted message, sent as the webhook would send it, with the signal in the query. The body wins over
 * the query, so a message with a `test` field of its own is rejected: no test may become an order.
 */
export const fromText = (signal: number, text: string, test: boolean): Built => {
  if (text.trim() === "") return { errors: { body: [EMPTY] } }
  if (/test/i.test(unescaped(text))) {
    const found = objectIn(text)
    if (found === undefined || Object.keys(found).some((name) => /^\s*test\s*$/i.test(name)))
      return { errors: { body: [OWN_TEST] } }
  }
  return { sending: { query: `signal_id=${signal}${test ? "&test=true" : ""}`, body: text } }
}

/** Decodes escapes, which may hide the letters of a name. */
const unescaped = (text: string): string =>
  text
    .replace(/\\+u00([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const objectIn = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
