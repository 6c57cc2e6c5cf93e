import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { ALERT_TYPES, type AlertType, type Instruction } from "./Alert.ts"
import { ASSET_CODE } from "./AlertFields.ts"
import * as AlertPair from "./AlertPair.ts"
import { form, read, type Unreadable } from "./AlertText.ts"
import type { Fields } from "./Form.ts"
import { unfilled } from "./Placeholder.ts"
import type { SignalId } from "./Signal.ts"
import { type Violation, violation } from "./Violations.ts"

/** What arrived: the text of the body (or the fields of a multipart form) and the query of the address, without its key. */
export interface AlertSource {
  readonly body: string | Fields
  readonly contentType: string
  readonly query: string
}

/** An alert understood. `id` is its own, where it has one; `timed` where it has a time of its own. */
export interface AlertRequest {
  readonly instruction: Instruction
  readonly id: string | undefined
  readonly timed: boolean
  readonly warnings: ReadonlyArray<string>
}

/** An alert that is not understood: no fields to be found, or all that is wrong with them. */
export type AlertRefused =
  | ({ readonly _tag: "Unreadable" } & Unreadable)
  | {
      readonly _tag: "Flawed"
      readonly violations: ReadonlyArray<Violation>
      /** The signal it was meant for, where that much was clear. */
      readonly signalId: SignalId | undefined
    }

/** Reads an alert however it is dressed. Never throws. Exact names of the interface win over aliases. */
export const decode = (source: AlertSource): Either.Either<AlertRequest, AlertRefused> => {
  const body =
    typeof source.body === "string" ? read(source.body, source.contentType) : Either.right(source.body)
  if (Either.isLeft(body)) return Either.left({ _tag: "Unreadable", ...body.left })
  if (source.query === "") return instruct(body.right)
  const query = form(source.query)
  if (Either.isLeft(query)) return Either.left({ _tag: "Unreadable", ...query.left })
  return instruct({ ...query.right, ...present(body.right) })
}

/** A null in the body leaves room for the field of the address. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

const instruct = (fields: Fields): Either.Either<AlertRequest, AlertRefused> => {
  const flaws: Array<Violation> = []
  const warnings: Array<string> = []
  const signalId = signalOf(fields["signal_id"], flaws)
  const type = typeOf(fields, flaws)
  const pair = pairOf(fields, flaws)
  const tp = priceOf("tp", fields["tp"], flaws)
  const sl = priceOf("sl", fields["sl"], flaws)
  const id = idOf(fields["id"], flaws)
  if (flaws.length > 0 || signalId === undefined || type === undefined || pair === undefined) {
    return Either.left({ _tag: "Flawed", violations: flaws, signalId })
  }
  if (pair.perpetual && (type === "buy" || type === "sell")) {
    warnings.push(
      "the symbol names a perpetual, but buy and sell act on spot: send long, short, close_long or close_short"
    )
  }
  for (const [name, right] of MISTAKEN) {
    if (name in fields) warnings.push(`${name} was not read: a price for it goes into ${right}`)
  }
  return Either.right({
    instruction: { signalId, coin: pair.coin, quoteCurrency: pair.quote, type, tp, sl },
    id,
    timed: TIMES.some((name) => isOwn(fields[name])),
    warnings
  })
}

/** Names under which other services take what is `sl` and `tp` here: ignored, but not in silence. */
const MISTAKEN: ReadonlyArray<readonly [string, string]> = [
  ["stop_loss", "sl"],
  ["stopLoss", "sl"],
  ["stoploss", "sl"],
  ["sl_price", "sl"],
  ["take_profit", "tp"],
  ["takeProfit", "tp"],
  ["takeprofit", "tp"],
  ["tp_price", "tp"]
]
const TIMES = ["timestamp", "time", "timenow"] as const

const isSignalId = (value: number): value is SignalId => Number.isSafeInteger(value) && value > 0

const signalOf = (value: unknown, flaws: Array<Violation>): SignalId | undefined => {
  const id = typeof value === "string" && DIGITS.test(value) ? Number(value) : value
  if (typeof id === "number" && isSignalId(id)) return id
  refuse(flaws, "signal_id", value, "must be a positive whole number")
  return undefined
}
const DIGITS = /^\s*\d{1,16}\s*$/

const TYPES: ReadonlyMap<string, AlertType> = new Map(ALERT_TYPES.map((type) => [type, type]))
const TYPES_TEXT = `must be one of ${ALERT_TYPES.join(", ")}`

const typeOf = (fields: Fields, flaws: Array<Violation>): AlertType | undefined => {
  const name = TYPE_NAMES.find((it) => isThere(fields[it])) ?? "type"
  const value = fields[name]
  const type =
    typeof value === "string" ? (TYPES.get(value) ?? TYPES.get(value.trim().toLowerCase())) : undefined
  if (type === undefined) refuse(flaws, name, value, TYPES_TEXT)
  return type
}
const TYPE_NAMES = ["type", "action", "side"] as const

type Pair = AlertPair.AlertPair

const pairOf = (fields: Fields, flaws: Array<Violation>): Pair | undefined => {
  const { coin: base, quote_currency: quote } = fields
  const name = isThere(base) && isThere(quote) ? undefined : SYMBOL_NAMES.find((it) => isThere(fields[it]))
  const coin = codeOf("coin", base, flaws, name !== undefined)
  const quoteCurrency = codeOf("quote_currency", quote, flaws, name !== undefined)
  if (name === undefined) {
    return coin === undefined || quoteCurrency === undefined
      ? undefined
      : { coin, quote: quoteCurrency, perpetual: false }
  }
  const symbol = fields[name]
  const pair =
    typeof symbol === "string"
      ? Option.getOrUndefined(AlertPair.parse(symbol, { coin, quote: quoteCurrency }))
      : undefined
  if (pair === undefined) refuse(flaws, name, symbol, "must name both assets, such as BTCUSDT or BTC/USDT")
  return pair === undefined
    ? undefined
    : { ...pair, coin: coin ?? pair.coin, quote: quoteCurrency ?? pair.quote }
}
const SYMBOL_NAMES = ["symbol", "ticker", "pair"] as const

/** An asset's code in capitals. Absent is no mistake where a symbol stands in for it. */
const codeOf = (
  name: string,
  value: unknown,
  flaws: Array<Violation>,
  optional: boolean
): string | undefined => {
  if (optional && !isThere(value)) return undefined
  const text = typeof value === "string" ? value.trim() : undefined
  if (text !== undefined && ASSET_CODE.test(text)) return text.toUpperCase()
  refuse(flaws, name, value, "must be the code of one asset, such as BTC; a whole pair goes into symbol")
  return undefined
}

const NUMBER = /^\s*\+?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?\s*$/
const NONE = Option.none<number>()

const priceOf = (name: string, value: unknown, flaws: Array<Violation>): Option.Option<number> => {
  if (!isThere(value)) return NONE
  const price = typeof value === "string" && NUMBER.test(value) ? Number(value) : value
  if (typeof price === "number" && price > 0 && price < Number.POSITIVE_INFINITY) return Option.some(price)
  refuse(flaws, name, value, "must be a price above 0 such as 68000.5: leave it out where there is none")
  return NONE
}

/** The longest id that an alert may bear, in UTF-16 units. */
const MAX_ID = 255

const idOf = (value: unknown, flaws: Array<Violation>): string | undefined => {
  if (!isThere(value) || value === "") return undefined
  if (typeof value === "number" && Number.isFinite(value)) return String(value)
  if (typeof value === "string" && value.length <= MAX_ID && unfilled(value) === undefined) return value
  refuse(flaws, "id", value, `must be a text of at most ${MAX_ID} characters`)
  return undefined
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null

/** A time that is the alert's own: a placeholder that was never filled in is the same in all of them. */
const isOwn = (value: unknown): boolean =>
  (typeof value === "number" || (typeof value === "string" && value !== "")) &&
  unfilled(String(value)) === undefined

const refuse = (flaws: Array<Violation>, name: string, value: unknown, text: string): void => {
  const placeholder = typeof value === "string" ? unfilled(value) : undefined
  const present = Array.isArray(value) ? "is given more than once" : (placeholder ?? text)
  flaws.push(violation(name, isThere(value) ? present : `is required: it ${text}`))
}
