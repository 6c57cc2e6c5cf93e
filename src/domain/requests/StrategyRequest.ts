// Translates between settings and the two dialects of the API: requests and views. Requests are checked field by field,
// then merged with the stored settings; the merged strategy must keep every rule. Drafts of programs are read strictly:
// a field that no strategy has is refused. Bodies of HTTP requests are read leniently, as the interface promises.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { lazily } from "../internal/Lazily.ts"
import * as SchemaViolations from "../internal/SchemaViolations.ts"
import { exchangeOf, INTERFACE, type VenueList } from "../market/VenueList.ts"
import type { Performance } from "../Performance.ts"
import { SignalId } from "../Signal.ts"
import { Listing, Settings, type Strategy } from "../Strategy.ts"
import type { StrategyDraft, StrategyPatch } from "./StrategyDraft.ts"
import { type Feature, FullView, type Row, rows } from "./StrategyView.ts"
import { unknownFields } from "./UnknownFields.ts"
import { schemaOf } from "./VenueFields.ts"
import { type Violation, violation } from "./Violations.ts"

/** The requested settings and the names of the fields in the request; some rules bind only those. */
export interface StrategyRequest {
  readonly settings: Settings
  readonly given: ReadonlySet<string>
}

/** A request as far as it can be read. Its valid parts are checked by further rules even if others are invalid. */
export interface Reading {
  readonly settings: Option.Option<Settings>
  readonly given: ReadonlySet<string>
  readonly listings: Option.Option<ReadonlyArray<Listing>>
  readonly signalId: Option.Option<SignalId>
  readonly violations: ReadonlyArray<Violation>
}

type Body = ReadonlyMap<string, unknown>
type Flat = Record<string, unknown>

/**
 * The settings of a draft, or all violations of types, bounds and dependent fields. A field that no strategy has is a
 * violation that names the nearest one.
 *
 * @example
 * ```ts
 * import { Either } from "effect"
 * import { parseCreate } from "signalbox/domain/requests/StrategyRequest"
 *
 * const read = parseCreate({
 *   ...{ name: "Mine", description: "", active: true, public: false, buy_percentage: 25 },
 *   ...{ default_quote_currency: "USDT", default_exchange_name: "binance", sell_minprofitpercent: 1 },
 *   exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
 * })
 * if (Either.isLeft(read)) console.log(read.left) // every field with what is wrong with it
 * ```
 */
export const parseCreate = (draft: StrategyDraft, venues: VenueList = INTERFACE): Parsed =>
  settled(readDraft(draft, venues))

/** The same for the body of a request or a file: fields that no strategy has are ignored. */
export const parseBody = (body: object, venues: VenueList = INTERFACE): Parsed =>
  settled(read(body, Option.none(), venues))

type Parsed = Either.Either<StrategyRequest, ReadonlyArray<Violation>>

const settled = ({ given, settings, violations }: Reading): Parsed =>
  Option.match(settings, {
    onNone: () => Either.left(violations),
    onSome: (settings) => Either.right({ settings, given })
  })

/** The strategy as its owner reads it. Absent fees are shown as the default exchange's, in percent. */
export const view = (
  strategy: Strategy,
  fees: { readonly makerFeePercent: number; readonly takerFeePercent: number },
  performance: Performance
): FullView => {
  const flat: Flat = {}
  for (const row of rows) flat[row.model] = shown(row, strategy.settings)
  return decodeView({
    ...flat,
    maker_fee: strategy.settings.makerFeePercent ?? fees.makerFeePercent,
    taker_fee: strategy.settings.takerFeePercent ?? fees.takerFeePercent,
    strategy_id: strategy.id,
    copied_from: strategy.copiedFrom ?? null,
    performance,
    created_at: strategy.createdAt,
    updated_at: strategy.updatedAt
  })
}

const decodeView = lazily(() => Schema.validateSync(FullView))
const decodeSettings = lazily(() => Schema.validateSync(Settings))

/** The value that the view shows for a row; null where it is unset. */
export const shown = (row: Row, settings: Settings): unknown => {
  const value = held(row, settings)
  if (row.role === "switch") return value !== undefined
  if (value === undefined || row.stored === undefined) return value ?? null
  return Schema.encodeUnknownSync(row.stored)(value)
}

/** The value of the settings at the row's path; undefined where it is unset. */
export const held = (row: Row, settings: Settings): unknown => {
  const [outer, inner] = row.path
  const found = new Map<string, unknown>(Object.entries(settings)).get(outer)
  if (inner === undefined || typeof found !== "object" || found === null)
    return inner === undefined ? found : undefined
  return new Map<string, unknown>(Object.entries(found)).get(inner)
}

/**
 * The stored numbers that a request may no longer contain, by request field. They stay as they are and are reported.
 */
export const outOfBounds = (settings: Settings): ReadonlyArray<Violation> =>
  rows.flatMap((row) => {
    const value = held(row, settings)
    const read = typeof value === "number" ? SchemaViolations.decode(row.schema, value) : Either.void
    return Either.isRight(read) ? [] : read.left.map(({ text }) => violation(row.request, text))
  })

/** Reads the draft of a new strategy. Fields that no strategy has are violations. */
export const readDraft = (draft: StrategyDraft, venues: VenueList = INTERFACE): Reading =>
  strictly(draft, Option.none(), venues)

/** Reads a change of stored settings. Fields that no strategy has are violations. */
export const readPatch = (patch: StrategyPatch, stored: Settings, venues: VenueList = INTERFACE): Reading =>
  strictly(patch, Option.some(stored), venues)

const strictly = (request: object, stored: Option.Option<Settings>, venues: VenueList): Reading => {
  const reading = read(request, stored, venues)
  const unknown = unknownFields(request)
  return unknown.length === 0
    ? reading
    : { ...reading, settings: Option.none(), violations: [...unknown, ...reading.violations] }
}

/**
 * Reads the body of a creation, or of an update of stored settings. Fields that no strategy has are ignored, and only
 * listed venues may be named.
 */
export const read = (
  request: object,
  stored: Option.Option<Settings>,
  venues: VenueList = INTERFACE
): Reading => {
  const body: Body = new Map(Object.entries(request))
  const { given, values, violations } = decodeRows(body, venues)
  const merged = merge(given, values, stored)
  const all = [...misnamed(body), ...violations, ...merged.violations, ...untaken(given, merged.settings)]
  return {
    settings: all.length > 0 ? Option.none() : Option.some(decodeSettings(merged.settings)),
    given,
    listings: asListings(values.get("exchanges")),
    signalId: asSignalId(values.get("signal_id")),
    violations: all
  }
}

const asListings = lazily(() => Schema.validateOption(Schema.Array(Listing)))
const asSignalId = lazily(() => Schema.validateOption(SignalId))

/** Checks each field of the body by itself. */
const decodeRows = (body: Body, venues: VenueList) => {
  const violations: Array<Violation> = []
  const values = new Map<string, unknown>()
  const given = new Set<string>()
  for (const row of rows) {
    if (!body.has(row.request)) continue
    given.add(row.request)
    const sent = body.get(row.request)
    if (SchemaViolations.isLarge(sent)) {
      violations.push(violation(row.request, `must hold at most ${SchemaViolations.MAX_VALUES} values`))
      continue
    }
    const named = withExchangeIds(row.request, sent, venues)
    const value = SchemaViolations.decode(schemaOf(venues, row), named)
    if (Either.isRight(value)) values.set(row.request, value.right)
    else
      violations.push(
        ...value.left.map((refuse) => violation(row.request, `${refuse.path} ${refuse.text}`.trim()))
      )
  }
  return { given, values, violations }
}

/** Replaces exchange names in a field by their ids; unknown names stay and are refused. */
const withExchangeIds = (request: string, value: unknown, venues: VenueList): unknown => {
  if (request === "default_exchange_name") return exchangeOf(venues, value) ?? value
  if (request !== "exchanges" || !Array.isArray(value)) return value
  return value.map((entry: unknown) => {
    const known = isRecord(entry) ? exchangeOf(venues, entry["exchange_name"]) : undefined
    return isRecord(entry) && known !== undefined ? { ...entry, exchange_name: known } : entry
  })
}

const isRecord = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** Lays the request's values over the stored settings, and reports what is then missing. */
const merge = (
  given: ReadonlySet<string>,
  values: ReadonlyMap<string, unknown>,
  stored: Option.Option<Settings>
) => {
  const on = features(values, stored)
  const settings: Flat = {}
  const violations: Array<Violation> = []
  for (const row of rows) {
    if (row.role === "switch" || (row.feature !== undefined && !on.has(row.feature))) continue
    const value = given.has(row.request) ? values.get(row.request) : fallback(row, stored)
    if (value === undefined && given.has(row.request)) continue
    if (value === undefined || (value === null && row.role === "value")) {
      const text = need(row)
      if (text !== undefined) violations.push(violation(row.request, text))
    } else if (value !== null) place(settings, row, value)
  }
  return { settings, violations }
}

/** A break even that waits for more steps than there are. It binds where the request names one of the two. */
const untaken = (given: ReadonlySet<string>, { breakEvenAfter, takeProfitSteps }: Flat): Array<Violation> =>
  (given.has("break_even_after") || given.has("take_profit_steps")) &&
  typeof breakEvenAfter === "number" &&
  Array.isArray(takeProfitSteps) &&
  breakEvenAfter > takeProfitSteps.length
    ? [violation("break_even_after", `must be at most the number of take_profit_steps`)]
    : []

/** The features that are on after the merge. */
const features = (
  values: ReadonlyMap<string, unknown>,
  stored: Option.Option<Settings>
): ReadonlySet<Feature> => {
  const on = new Set<Feature>()
  for (const row of rows) {
    if (row.role !== "switch" || row.feature === undefined) continue
    const before = Option.exists(stored, (settings) => held(row, settings) !== undefined)
    if (values.get(row.request) ?? before) on.add(row.feature)
  }
  return on
}

const fallback = (row: Row, stored: Option.Option<Settings>): unknown => {
  const before = Option.match(stored, { onNone: () => undefined, onSome: (settings) => held(row, settings) })
  return before ?? (row.role === "flag" ? false : undefined)
}

const need = (row: Row): string | undefined => {
  if (row.role === "required") return "is required"
  if (row.role !== "value") return undefined
  const toggle = rows.find((other) => other.role === "switch" && other.feature === row.feature)
  return `is required while ${toggle?.request ?? "its switch"} is on`
}

const place = (settings: Flat, row: Row, value: unknown): void => {
  const [outer, inner] = row.path
  if (inner === undefined) settings[outer] = value
  else settings[outer] = { ...Object(settings[outer] ?? {}), [inner]: value }
}

/** Refuses settings under their response names: silently dropping a stop loss would cost money. */
const misnamed = (body: Body): Array<Violation> =>
  rows
    .filter((row) => row.request !== row.model && body.has(row.model))
    .map((row) => violation(row.request, `send this setting as ${row.request}, not as ${row.model}`))
