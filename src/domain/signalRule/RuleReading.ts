// Reads a rule as it is written, which may come from a stranger: every error at once, each with its field, and within an
// expression with its column.
import * as Either from "effect/Either"
import * as EditDistance from "../internal/EditDistance.ts"
import { isDeeperThan } from "../internal/JsonDepth.ts"
import * as SchemaViolations from "../internal/SchemaViolations.ts"
import { exchangeNameOf, marketKey } from "../Market.ts"
import { FIELDS, RuleDocument, ruleOf } from "./RuleDocument.ts"
import { errorAt, type RuleError } from "./RuleError.ts"
import { heldBy, MAX_HELD } from "./RuleMemory.ts"
import * as RuleSchedules from "./RuleSchedules.ts"
import { type CheckedRule, check, type FullRule, MAX_ENTRIES } from "./SignalRule.ts"
import * as Witness from "./Witness.ts"

/** A rule without errors: as it is written, as it is meant, and checked. */
export interface ReadRule {
  readonly document: RuleDocument
  readonly rule: FullRule
  readonly checked: CheckedRule
}

/** The bounds of a rule. */
export const MAX_MARKETS = 200
/** The most characters of a rule, as JSON without blanks. */
export const MAX_RULE_CHARACTERS = 60_000
/** The most errors that are reported. */
export const MAX_ERRORS = 50
/** The most characters of a text that holds a rule, blanks included. */
const MAX_TEXT = 1_000_000
/** No rule nests deeper. */
const MAX_LEVELS = 8

type Read = Either.Either<ReadRule, ReadonlyArray<RuleError>>

/** Reads a JSON text. */
export const readText = (text: string): Read => {
  if (text.length > MAX_TEXT) return refused("", TOO_LONG)
  if (isDeeperThan(MAX_LEVELS, new TextEncoder().encode(text))) return refused("", "must not nest so deeply")
  try {
    return read(JSON.parse(text))
  } catch {
    return refused("", "must be a rule as JSON text")
  }
}

/** Reads the value of `rule`. Never throws. */
export const read = (value: unknown): Read => {
  if (!isObject(value)) return refused("", "must be an object with markets, timeframe and on")
  if (SchemaViolations.isLarge(value))
    return refused("", `must hold at most ${SchemaViolations.MAX_VALUES} values`)
  const params = value["params"]
  if (isObject(params) && Object.hasOwn(params, "__proto__"))
    return refused("params", "has a name that is reserved")
  // Counted first: each error of a long list takes time.
  for (const [name, most] of LISTS)
    if (listOf(value[name]).length > most) return refused(name, `must have at most ${most} entries`)
  const unknown = unknownIn(value)
  const decoded = SchemaViolations.decode(RuleDocument, completed(value))
  if (Either.isLeft(decoded))
    return bounded([
      ...unknown,
      ...decoded.left.map(({ path, text }) => errorAt(path.replace(/^\./, ""), text))
    ])
  if (unknown.length > 0) return bounded(unknown)
  const document = decoded.right
  if (JSON.stringify(document).length > MAX_RULE_CHARACTERS) return refused("", TOO_LONG)
  const rule = ruleOf(document)
  const checked = check(rule)
  const errors = [
    ...marketErrors(rule),
    ...(Either.isLeft(checked) ? checked.left : []),
    ...RuleSchedules.errorsOf(rule.schedule),
    ...Witness.errorsOf(document)
  ]
  if (Either.isLeft(checked) || errors.length > 0) return bounded(errors)
  const held = heldBy(checked.right) * rule.markets.length
  if (held > MAX_HELD)
    return refused("", `would keep ${held} numbers in memory, at most ${MAX_HELD}: ${LESS}`)
  return Either.right({ document, rule, checked: checked.right })
}

/** The most entries of each list. */
const LISTS = [
  ["markets", MAX_MARKETS],
  ["on", MAX_ENTRIES],
  ["schedule", RuleSchedules.MAX_SCHEDULES]
] as const

const TOO_LONG = `must have at most ${MAX_RULE_CHARACTERS} characters as JSON`
const LESS = "shorten lengths, or divide its markets between several signals"

const refused = (field: string, text: string): Read => Either.left([errorAt(field, text)])
const bounded = (errors: ReadonlyArray<RuleError>): Read => Either.left(errors.slice(0, MAX_ERRORS))

type Fields = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The value as it is stored: exchanges by their ids, nothing that is null, and lists that were left out. */
const completed = (value: Fields): Fields => ({
  ...withoutNulls(value),
  params: value["params"] ?? {},
  ...(Array.isArray(value["markets"]) ? { markets: value["markets"].map(marketOf) } : {}),
  ...(Array.isArray(value["on"])
    ? { on: value["on"].map((entry: unknown) => (isObject(entry) ? withoutNulls(entry) : entry)) }
    : {}),
  schedule: value["schedule"] ?? []
})

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

const marketOf = (market: unknown): unknown =>
  isObject(market)
    ? {
        ...market,
        exchange: exchangeNameOf(market["exchange"]) ?? market["exchange"],
        kind: market["kind"] ?? "spot"
      }
    : market

const marketErrors = ({ markets }: FullRule): ReadonlyArray<RuleError> => {
  if (markets.length < 1 || markets.length > MAX_MARKETS)
    return [errorAt("markets", `must have 1 to ${MAX_MARKETS} pairs in all`)]
  const keys = new Set(markets.map(marketKey))
  return keys.size < markets.length ? [errorAt("markets", "must name each market once")] : []
}

/** The most characters of an unknown name that are compared. */
const MAX_NAME = 40

/** A misspelt field is refused: a rule without its stop would cost money. */
const unknownIn = (value: Fields): ReadonlyArray<RuleError> => [
  ...strangersIn(value, FIELDS.rule, ""),
  ...listOf(value["markets"]).flatMap((it, index) => strangersIn(it, FIELDS.market, `markets[${index}]`)),
  ...listOf(value["on"]).flatMap((it, index) => [
    ...strangersIn(it, FIELDS.entry, `on[${index}]`),
    ...listOf(isObject(it) ? it["tps"] : undefined).flatMap((step, at) =>
      strangersIn(step, FIELDS.step, `on[${index}].tps[${at}]`)
    )
  ]),
  ...listOf(value["schedule"]).flatMap((it, index) => strangersIn(it, FIELDS.schedule, `schedule[${index}]`))
]

const strangersIn = (
  value: unknown,
  known: ReadonlyArray<string>,
  field: string
): ReadonlyArray<RuleError> => {
  const strange = isObject(value) ? Object.keys(value).find((name) => !known.includes(name)) : undefined
  if (strange === undefined) return []
  const text = "has a field that no rule has"
  const meant = nearest(strange.slice(0, MAX_NAME), known)
  const hint = meant === undefined ? `: it may have ${known.join(", ")}` : `: did you mean ${meant}?`
  return [{ field, text: `${text} (${strange.slice(0, MAX_NAME)})${hint}`, expected: `${text}${hint}` }]
}

const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const edits = (it: string) => EditDistance.between(name.toLowerCase(), it)
  const [best] = [...known].sort((one, other) => edits(one) - edits(other))
  return best !== undefined && edits(best) <= name.length / 2 ? best : undefined
}
