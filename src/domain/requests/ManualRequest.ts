// The requests of orders by hand: close, cancel, targets. Each names its market; `preview` only looks.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ExchangeName, exchangeNameOf, isPair, MarketKind } from "../Market.ts"
import type { ManualAct, ManualOrder, ManualTargets } from "../position/ManualOrder.ts"
import { isPrice, PRICE_WORDS } from "./Bounds.ts"
import type { Fields } from "./Form.ts"
import { type Violation, Violations, violation } from "./Violations.ts"

/** An order by hand, and whether it is only to be tried. */
export interface ManualRequest {
  readonly order: ManualOrder
  readonly isPreview: boolean
}

/** Reads the act of a request, and adds what is wrong with it. */
type ReadAct = (fields: Fields, add: (field: string, text: string) => void) => ManualAct

/** A request to close a position, or its violations. */
export const readClose = (fields: Fields) => read(fields, closeOf)
/** A request to cancel a waiting entry, or its violations. */
export const readCancel = (fields: Fields) => read(fields, () => ({ _tag: "Cancel" }))
/** A request to set targets, or its violations. */
export const readTargets = (fields: Fields) => read(fields, targetsOf)

const read = (fields: Fields, actOf: ReadAct): Either.Either<ManualRequest, Violations> => {
  const violations: Array<Violation> = []
  const add = (field: string, text: string): void => {
    violations.push(violation(field, text))
  }
  const { kind, pair, preview = false } = fields
  const exchange = exchangeOf(fields["exchange"])
  const act = actOf(fields, add)
  if (exchange === undefined)
    add("exchange", fields["exchange"] === undefined ? "is required" : "must be the name of an exchange")
  if (!isPair(pair)) add("pair", pair === undefined ? "is required" : "must be BASE/QUOTE in capitals")
  if (kind !== undefined && !isKind(kind)) add("kind", "must be spot or swap")
  if (typeof preview !== "boolean") add("preview", "must be true or false")
  const isWhole = exchange !== undefined && isPair(pair) && (kind === undefined || isKind(kind))
  if (!isWhole || typeof preview !== "boolean" || violations.length > 0)
    return Either.left(Violations.of(violations))
  const order = { exchange, pair, act, ...(kind === undefined ? {} : { kind }) }
  return Either.right({ order, isPreview: preview })
}

const isKind = Schema.is(MarketKind)
const isExchange = Schema.is(ExchangeName)

const exchangeOf = (written: unknown): ExchangeName | undefined =>
  exchangeNameOf(written) ?? (isExchange(written) ? written : undefined)

const closeOf: ReadAct = ({ percent = 100 }, add) => {
  const isPercent = typeof percent === "number" && percent > 0 && percent <= 100
  if (!isPercent) add("percent", "must be a number over 0 and at most 100")
  return { _tag: "Close", percent: isPercent ? percent : 100 }
}

const targetsOf: ReadAct = (fields, add) => {
  const target = (field: "tp" | "sl"): ManualTargets["tp"] => {
    const value = fields[field]
    if (value === undefined) return undefined
    if (value === null) return Option.none()
    if (typeof value === "number" && isPrice(value)) return Option.some(value)
    add(field, `must be ${PRICE_WORDS}, or null`)
    return undefined
  }
  if (fields["tp"] === undefined && fields["sl"] === undefined)
    add("tp", "or sl is required: a price, or null to remove it")
  const [tp, sl] = [target("tp"), target("sl")]
  return {
    _tag: "Targets",
    ...(tp === undefined ? {} : { tp }),
    ...(sl === undefined ? {} : { sl })
  }
}
