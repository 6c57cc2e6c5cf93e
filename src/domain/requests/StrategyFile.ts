// A strategy as a file: the fields of a request that creates one, or the full view that the API answers. A file is the
// whole strategy: what it leaves out is off, or has its default.
import * as Decimal from "../Decimal.ts"
import type { Exchange, ExchangeName } from "../Market.ts"
import { exchangeOf, INTERFACE } from "../market/VenueList.ts"
import type { Settings } from "../Strategy.ts"
import type { Fields } from "./Form.ts"
import { shown } from "./StrategyRequest.ts"
import { FullView, rows } from "./StrategyView.ts"

/** An exchange of that name, with its fees: those of a catalogue. */
export type ExchangeOf = (name: ExchangeName) => Exchange

/** The name of a signal in a file, beside `signal_id`: ids differ between databases. */
export const SIGNAL = "signal"

const SETTINGS: ReadonlySet<string> = new Set(rows.flatMap(({ model, request }) => [model, request]))
/** Fields that the view adds to the settings. */
const ADDED = Object.keys(FullView.fields).filter((name) => !SETTINGS.has(name))

/**
 * The file in the fields of a request. Names of the view become those of requests, and what the server adds is left out.
 * A view shows the fees of the exchange where a strategy has none of its own: such a fee is left out too.
 */
export const asRequest = (file: Fields, exchange: ExchangeOf): Fields => {
  const renamed = rows.filter(
    ({ model, request }) => model !== request && model in file && !(request in file)
  )
  const isView = renamed.length > 0 || ADDED.some((name) => name in file)
  const body = new Map(Object.entries(file))
  for (const name of ADDED) body.delete(name)
  for (const { model, request } of renamed) {
    body.set(request, body.get(model))
    body.delete(model)
  }
  if (isView) dropShownFees(body, exchange)
  return Object.fromEntries(body)
}

const dropShownFees = (body: Map<string, unknown>, exchange: ExchangeOf): void => {
  const name = exchangeOf(INTERFACE, body.get("default_exchange_name"))
  if (name === undefined) return
  const { makerFeePercent, takerFeePercent } = exchange(name)
  if (body.get("maker_fee") === Decimal.toNumber(makerFeePercent)) body.delete("maker_fee")
  if (body.get("taker_fee") === Decimal.toNumber(takerFeePercent)) body.delete("taker_fee")
}

/** The settings as a file: every field that is set, in the sequence of the reference. */
export const fileOf = (settings: Settings): Fields =>
  Object.fromEntries(
    rows.flatMap((row) => {
      const value = shown(row, settings)
      const isUnset = value === null || (value === false && row.role !== "required")
      return isUnset ? [] : [[row.request, value]]
    })
  )

/** A setting that differs, under its request name; null where it is unset. */
export interface Difference {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** The settings in which a strategy differs from another; all that are set where there is none to compare with. */
export const differences = (from: Settings | undefined, to: Settings): ReadonlyArray<Difference> =>
  rows.flatMap((row) => {
    const [before, after] = [from === undefined ? null : shown(row, from), shown(row, to)]
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    const isUnset = from === undefined && after === false && row.role !== "required"
    return isSame || isUnset ? [] : [{ field: row.request, from: before, to: after }]
  })

/** The request that makes these changes. */
export const patchOf = (changes: ReadonlyArray<Difference>): Fields =>
  Object.fromEntries(changes.map(({ field, to }) => [field, to]))
