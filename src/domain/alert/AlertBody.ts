// Decodes an alert from any body (JSON, text or form) and the query of its URL into one `AlertRequest`, or all its
// violations. Exact field names of the API win over aliases; a field in the body wins over the query.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Instruction } from "../Alert.ts"
import type { Fields } from "../requests/Form.ts"
import { type Violation, violation } from "../requests/Violations.ts"
import type { SignalId } from "../Signal.ts"
import * as AlertAct from "./AlertAct.ts"
import * as AlertExtras from "./AlertExtras.ts"
import { ASSET_CODE } from "./AlertFields.ts"
import * as AlertNames from "./AlertNames.ts"
import * as AlertPair from "./AlertPair.ts"
import type { Pairs } from "./AlertPairs.ts"
import * as AlertTargets from "./AlertTargets.ts"
import { form, read, type Unreadable } from "./AlertText.ts"
import * as AlertWords from "./AlertWords.ts"
import * as BotMessage from "./BotMessage.ts"
import * as IgnoredInstructions from "./IgnoredInstructions.ts"
import { unfilled } from "./Placeholder.ts"
import type * as PositionChange from "./PositionChange.ts"

/** A received alert: the text of the body (or the fields of a multipart form), and the URL's query without its key. */
export interface AlertSource {
  readonly body: string | Fields
  readonly contentType: string
  readonly query: string
}

/** A decoded alert. `id` is the sender's own, if given; `timed` says whether it carries a time of its own. */
export interface AlertRequest {
  readonly instruction: Instruction
  readonly id: string | undefined
  readonly timed: boolean
  /** A test: report what each strategy would do and change nothing. */
  readonly test: boolean
  readonly warnings: ReadonlyArray<string>
}

/** An alert that cannot be decoded: no fields, or the violations of its fields. */
export type AlertRefused =
  | ({ readonly _tag: "Unreadable" } & Unreadable)
  | {
      readonly _tag: "Invalid"
      readonly violations: ReadonlyArray<Violation>
      /** The signal that was named, if that field was valid. */
      readonly signalId: SignalId | undefined
    }
  /** The symbol may name a pair of the catalogue, which was not loaded. */
  | { readonly _tag: "Unsure"; readonly signalId: SignalId }

/** Called with each field of ours and the known name that it was read from. */
export type Listener = (
  field: "signal_id" | "coin" | "quote_currency" | "type" | "tp" | "sl" | AlertExtras.ExtraName,
  from: string
) => void

/** Decodes an alert; never throws. `pairs` returns the pairs that its symbol may mean. */
export const decode = (
  source: AlertSource,
  pairs: (signal: SignalId) => Pairs | undefined = () => undefined
): Either.Either<AlertRequest, AlertRefused> =>
  Either.flatMap(fieldsOf(source), (fields) => understand(fields, pairs))

/** The fields of the body, plus those of the query that the body does not have. */
export const fieldsOf = (source: AlertSource): Either.Either<Fields, AlertRefused> => {
  const body =
    typeof source.body === "string" ? read(source.body, source.contentType) : Either.right(source.body)
  if (Either.isLeft(body)) return Either.left(unread(body.left, source.query))
  if (source.query === "") return Either.right(body.right)
  const query = form(source.query)
  if (Either.isLeft(query)) return Either.left({ _tag: "Unreadable", ...query.left })
  return Either.right({ ...query.right, ...present(body.right) })
}

/** A body without fields: that of another service is refused for the signal in the address. */
const unread = ({ foreign, ...unreadable }: Unreadable, query: string): AlertRefused => {
  if (foreign !== true) return { _tag: "Unreadable", ...unreadable }
  const errors = [violation("type", unreadable.text)]
  const fields = Either.getOrElse(form(query), (): Fields => ({}))
  const signalId = signalFrom({ fields, names: AlertNames.NONE, errors, listener: undefined })
  return { _tag: "Invalid", violations: errors, signalId }
}

/** A null in the body does not hide the query's field. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** An alert's fields by their own and other names, the violations found so far, and who hears of sources. */
interface Reading {
  readonly fields: Fields
  readonly names: AlertNames.Names
  readonly errors: Array<Violation>
  readonly listener: Listener | undefined
}

/** Decodes the fields; `listener` hears the source of each. */
export const understand = (
  fields: Fields,
  pairs: (signal: SignalId) => Pairs | undefined,
  listener?: Listener
): Either.Either<AlertRequest, AlertRefused> => {
  const errors: Array<Violation> = []
  const pairViolations: Array<Violation> = []
  const warnings: Array<string> = []
  const names = namesOf(fields)
  const reading = { fields, names, errors, listener: listener }
  const signalId = signalFrom(reading)
  const pair = pairOf({ ...reading, errors: pairViolations }, signalId, pairs)
  if (pair === "unsure")
    return signalId === undefined
      ? Either.left({ _tag: "Invalid", violations: errors, signalId })
      : Either.left({ _tag: "Unsure", signalId })
  const isPerpetual = pair?.perpetual === true || AlertPair.isSwap(names)
  const act = actOf(reading, isPerpetual, warnings)
  const type = act?.type
  if (pairViolations.length > 0) errors.push(...pairViolations)
  const tp = AlertTargets.read("tp", fields["tp"], names, reading)
  const sl = AlertTargets.read("sl", fields["sl"], names, reading)
  const sent = AlertExtras.find((name) => valueOf(fields, names, name), listener)
  const beside = type === undefined ? undefined : { type, hasTp: Option.isSome(tp) }
  const heeded = act?.says === undefined ? sent : AlertExtras.heeded(sent, act.type, warnings)
  const extras = { ...act?.says, ...AlertExtras.read(heeded, beside, errors) }
  const id = idOf(fields["id"], errors)
  const test = testOf(fields["test"], errors)
  if (errors.length > 0 || signalId === undefined || type === undefined || pair === undefined) {
    return Either.left({ _tag: "Invalid", violations: errors, signalId })
  }
  if (pair.perpetual && (type === "buy" || type === "sell")) warnings.push(ON_SPOT)
  if (pair.warning !== undefined) warnings.push(pair.warning)
  if (names !== AlertNames.NONE) {
    AlertTargets.warn(names, { tp: Option.isSome(tp), sl: Option.isSome(sl) }, warnings)
    IgnoredInstructions.warn(names, warnings, act?.says?.stated?.after.size !== undefined)
  }
  return Either.right({
    instruction: { signalId, coin: pair.coin, quoteCurrency: pair.quote, type, tp, sl, ...extras },
    id,
    timed: TIMES.some((name) => isOwn(fields[name])),
    test,
    warnings
  })
}

const ON_SPOT =
  "the symbol names a perpetual, but buy and sell act on spot: send long, short, close_long or close_short"
const TIMES = ["timestamp", "time", "timenow"] as const

/** Aliases are searched only if a field has a foreign name. A `code` is split into the fields it stands for. */
const namesOf = (fields: Fields): AlertNames.Names => {
  if (AlertNames.areOwn(fields)) return AlertNames.NONE
  const names = AlertNames.read(fields)
  const code = names.byName.get("code")
  const coded = typeof code === "string" ? BotMessage.code(code) : undefined
  return coded === undefined ? names : AlertNames.under(names, coded)
}

/** The first wanted field: by its exact name, else by any spelling. */
const fieldOf = (
  fields: Fields,
  names: AlertNames.Names,
  wanted: ReadonlyArray<string>
): AlertNames.Named | undefined => {
  const exact = wanted.find((name) => isThere(fields[name]))
  return exact === undefined ? AlertNames.first(names, wanted) : { name: exact, value: fields[exact] }
}

const valueOf = (fields: Fields, names: AlertNames.Names, name: string): unknown => {
  const value = fields[name]
  return isThere(value) ? value : names.byName.get(name)
}

const isSignalId = (value: number): value is SignalId => Number.isSafeInteger(value) && value > 0

const signalFrom = ({ errors, fields, names, listener }: Reading): SignalId | undefined => {
  const value = valueOf(fields, names, "signal_id")
  const id = typeof value === "string" && DIGITS.test(value) ? Number(value) : value
  if (typeof id === "number" && isSignalId(id)) {
    listener?.("signal_id", "signal_id")
    return id
  }
  refuse(errors, "signal_id", value, "must be a positive whole number")
  return undefined
}
const DIGITS = /^\s*\d{1,16}\s*$/

const actOf = (
  { errors, fields, names, listener }: Reading,
  isPerpetual: boolean,
  warnings: Array<string>
): PositionChange.Act | undefined => {
  const exact = AlertWords.exact(fields["type"])
  if (exact === undefined && names === AlertNames.NONE) {
    refuse(errors, "type", fields["type"], AlertWords.TYPES_TEXT)
    return undefined
  }
  const act =
    exact === undefined ? AlertAct.read(names, isPerpetual) : AlertAct.outright(names, exact, isPerpetual)
  if (Either.isLeft(act)) {
    errors.push(act.left)
    return undefined
  }
  const { from, says, warning } = act.right
  if (warning !== undefined) warnings.push(warning)
  listener?.("type", from)
  if (listener !== undefined && says !== undefined) AlertExtras.hear(says, from, listener)
  return act.right
}

const pairOf = (
  { errors, fields, names, listener }: Reading,
  signalId: SignalId | undefined,
  pairs: (signal: SignalId) => Pairs | undefined
): AlertPair.AlertPair | "unsure" | undefined => {
  const base = valueOf(fields, names, "coin")
  const quote = valueOf(fields, names, "quote_currency")
  const found = isThere(base) && isThere(quote) ? undefined : fieldOf(fields, names, AlertPair.SYMBOLS)
  const coin = codeOf("coin", base, errors, found !== undefined)
  const quoteCurrency = codeOf("quote_currency", quote, errors, found !== undefined)
  if (coin !== undefined) listener?.("coin", "coin")
  if (quoteCurrency !== undefined) listener?.("quote_currency", "quote_currency")
  if (found === undefined) {
    return coin === undefined || quoteCurrency === undefined
      ? undefined
      : { coin, quote: quoteCurrency, perpetual: false }
  }
  const { name, value } = found
  const read =
    typeof value === "string"
      ? AlertPair.parse(
          value,
          { coin, quote: quoteCurrency },
          signalId === undefined ? undefined : pairs(signalId)
        )
      : Either.left("nameless" as const)
  if (Either.isLeft(read)) {
    if (read.left === "unsure") return read.left
    refuse(errors, name, value, read.left === "several" ? SEVERAL : NAMELESS)
    return undefined
  }
  if (coin === undefined) listener?.("coin", name)
  if (quoteCurrency === undefined) listener?.("quote_currency", name)
  return { ...read.right, coin: coin ?? read.right.coin, quote: quoteCurrency ?? read.right.quote }
}
const NAMELESS = "must name both assets, such as BTCUSDT or BTC/USDT"
const SEVERAL = "may mean several pairs: name both assets, with a stroke between, such as BTC/USDT"

/** An asset code in upper case. It may be absent if a symbol stands in for it. */
const codeOf = (
  name: string,
  value: unknown,
  errors: Array<Violation>,
  optional: boolean
): string | undefined => {
  if (optional && !isThere(value)) return undefined
  const text = typeof value === "string" ? value.trim() : undefined
  if (text !== undefined && ASSET_CODE.test(text)) return text.toUpperCase()
  refuse(errors, name, value, "must be the code of one asset, such as BTC; a whole pair goes into symbol")
  return undefined
}

/** The longest `id` of an alert, in UTF-16 units. */
const MAX_ID = 255

const idOf = (value: unknown, errors: Array<Violation>): string | undefined => {
  if (!isThere(value) || value === "") return undefined
  if (typeof value === "number" && Number.isFinite(value)) return String(value)
  if (typeof value === "string" && value.length <= MAX_ID && unfilled(value) === undefined) return value
  refuse(errors, "id", value, `must be a text of at most ${MAX_ID} characters`)
  return undefined
}

/** A test must never act: any value other than true or false is refused. */
const testOf = (value: unknown, errors: Array<Violation>): boolean => {
  if (!isThere(value) || value === "") return false
  // Lists and objects are not converted to text, which fails for deep nesting.
  const text = typeof value === "object" ? undefined : String(value).trim().toLowerCase()
  if (text === "true" || text === "1") return true
  if (text !== "false" && text !== "0") refuse(errors, "test", value, "must be true or false")
  return false
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null

/** Whether the alert has a time of its own; an unfilled placeholder is the same in every alert. */
const isOwn = (value: unknown): boolean =>
  (typeof value === "number" || (typeof value === "string" && value !== "")) &&
  unfilled(String(value)) === undefined

const refuse = (errors: Array<Violation>, name: string, value: unknown, text: string): void => {
  const placeholder = typeof value === "string" ? unfilled(value) : undefined
  const present = Array.isArray(value) ? "is given more than once" : (placeholder ?? text)
  errors.push(violation(name, isThere(value) ? present : `is required: it ${text}`))
}
