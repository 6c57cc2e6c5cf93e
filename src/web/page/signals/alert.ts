// Builds the alert that the page sends, from fields or from a pasted message. Pure.
import type { AlertType } from "../../../domain/Alert.ts"
import { type ExtraName, goesWith } from "../../../domain/alert/AlertExtras.ts"
import { numberOf } from "../parts/reader/number.ts"

/** All types, those on spot first. */
export const TYPES: ReadonlyArray<AlertType> = ["buy", "sell", "long", "short", "close_long", "close_short"]

/** An alert's fields as typed. Those that do not go with the type are not sent. */
export interface Typed {
  readonly type: AlertType
  readonly coin: string
  readonly quote: string
  readonly tp: string
  readonly sl: string
  readonly tps: string
  readonly closePercent: string
  readonly buyPercentage: string
  readonly reverse: boolean
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
  const { type } = typed
  const goes = (name: ExtraName): boolean => goesWith(name, type)
  const values = {
    tp: numberOf(typed.tp),
    sl: numberOf(typed.sl),
    ...(goes("tps") ? { tps: stepsOf(typed.tps) } : {}),
    ...(goes("close_percent") ? { close_percent: numberOf(typed.closePercent) } : {}),
    ...(goes("buy_percentage") ? { buy_percentage: numberOf(typed.buyPercentage) } : {}),
    ...(goes("reverse") && typed.reverse ? { reverse: true } : {})
  }
  const wrong = Object.entries(values).flatMap(([name, value]) => (Number.isNaN(value) ? [name] : []))
  if (wrong.length > 0)
    return { errors: Object.fromEntries(wrong.map((name) => [name, [`must be ${EXAMPLES[name]}`]])) }
  const fields = {
    signal_id: signal,
    coin: typed.coin.trim(),
    quote_currency: typed.quote.trim(),
    type,
    ...values,
    ...(test ? { test: true } : {})
  }
  return { sending: { query: "", body: JSON.stringify(fields) } }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  tp: "a number, such as 62000.5",
  sl: "a number, such as 58000.5",
  tps: "steps of a price and a percentage, such as 62000 50; 65000 50",
  close_percent: "a number, such as 40",
  buy_percentage: "a number, such as 10"
}

/** Steps as typed, `62000 50; 65000 50`: undefined for none, NaN where one is not two numbers. */
const stepsOf = (text: string) => {
  if (text.trim() === "") return undefined
  const steps = text.split(";").map((step) => step.trim().split(/\s+/).map(numberOf))
  const found = steps.flatMap(([price, percent, ...rest]) =>
    price === undefined || percent === undefined || rest.length > 0 ? [] : [{ price, percent }]
  )
  const isWhole = found.length === steps.length
  return isWhole && found.every(({ percent, price }) => !Number.isNaN(price + percent)) ? found : Number.NaN
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
