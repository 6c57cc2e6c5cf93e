// An alert as the page sends it: from its fields, or pasted. Pure.
import { numberOf } from "../parts/number.ts"

export const TYPES = ["buy", "sell", "long", "short", "close_long", "close_short"] as const

/** The fields of an alert as they were typed. */
export interface Typed {
  readonly type: string
  readonly coin: string
  readonly quote: string
  readonly tp: string
  readonly sl: string
}

/** What is sent: the query of the address, and the body. */
export interface Sending {
  readonly query: string
  readonly body: string
}

/** The same, or what has to be changed first, by field. */
export type Built =
  | { readonly sending: Sending }
  | { readonly errors: Readonly<Record<string, ReadonlyArray<string>>> }

/** An alert from its fields. A test is one that the server only looks at. */
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

const OWN_TEST = "take the field test out of the message: whether it is a test is said by the buttons here"
const EMPTY = "paste the message of an alert"

/**
 * An alert that was pasted, sent as the webhook would get it, with the signal in the address. What is in a body wins
 * over the address: one that says itself whether it is a test is not sent, so that no test is taken for an order.
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

/** Escapes may hide the letters of a name. */
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
