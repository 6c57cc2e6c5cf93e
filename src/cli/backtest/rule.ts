// The option --rule: a rule that raises the alerts of a back-test by itself, in place of a file of alerts.
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { RuleError } from "../../domain/signalRule/RuleError.ts"
import * as RuleReading from "../../domain/signalRule/RuleReading.ts"
import { Signals } from "../../services/Signals.ts"
import type { Outcome } from "../../trading/backtest/BacktestView.ts"
import {
  groundOf,
  MAX_RAISED,
  type RuleGround,
  runsOf,
  timedAlerts
} from "../../trading/signalRule/RuleRecording.ts"
import { onStored } from "../program/shared.ts"
import { plain } from "../program/table.ts"
import { usage } from "../program/usage.ts"
import { ownedById } from "../signal/Owned.ts"
import { type Named, orServers } from "./database.ts"
import { FileError, readText } from "./files.ts"
import type { Range } from "./range.ts"
import type { ReadSeries } from "./series.ts"

export const rule = Options.text("rule").pipe(
  Options.optional,
  Options.withDescription(
    "a JSON file with a rule, as the field rule of a signal has it: it raises the alerts at the close of its candles, in place of --alerts. Candles before --from warm it up"
  )
)
export const signal = Options.integer("signal").pipe(
  Options.optional,
  Options.withDescription("the id of a signal of the database that has a rule, in place of --rule")
)
export const listAlerts = Options.boolean("list-alerts").pipe(
  Options.withDescription("list every alert of the rule, with the values that decided it")
)

/** A rule with its name for reports, which is that of its file or signal. */
export interface NamedRule extends RuleReading.ReadRule {
  readonly name: string
}

interface Choice extends Named {
  readonly rule: Option.Option<string>
  readonly signal: Option.Option<number>
  readonly alerts: Option.Option<string>
}

/** The rule, if one is given: of a file or of a signal. It takes the place of alerts from a file. */
export const chosen = (options: Choice) =>
  Effect.gen(function* () {
    const { alerts, rule, signal } = options
    const given = Number(Option.isSome(rule)) + Number(Option.isSome(signal))
    if (given > 1) return yield* usage("--rule and --signal both give a rule: give one of the two")
    if (given > 0 && Option.isSome(alerts))
      return yield* usage("a rule raises the alerts itself, in place of --alerts: give one of the two")
    if (Option.isSome(rule)) return Option.some(yield* read(rule.value))
    return Option.isSome(signal)
      ? Option.some(yield* ofSignal(signal.value, options))
      : Option.none<NamedRule>()
  })

/** The rule that a signal of the database has. */
const ofSignal = (id: number, options: Named) =>
  Effect.gen(function* () {
    const database = yield* Effect.mapError(orServers(options), noHome)
    const { account, name } = yield* onStored(database)(ownedById(id))
    const stored = yield* onStored(database)(Effect.flatMap(Signals, (signals) => signals.rule(account, id)))
    const named = `signal ${id}, ${plain(name)}`
    return yield* Option.match(stored, {
      onNone: () => new FileError({ file: named, text: "has no rule" }),
      onSome: ({ document }) => parsed(named, RuleReading.read(document))
    })
  })

const noHome = () => new FileError({ file: "--signal", text: "give the database with --db" })

/** Reads a rule. Every error is named with its field, and with its column in an expression. */
const read = (file: string): Effect.Effect<NamedRule, FileError> =>
  Effect.flatMap(readText(file), (text) => parsed(file, RuleReading.readText(text)))

const parsed = (
  name: string,
  found: ReturnType<typeof RuleReading.read>
): Effect.Effect<NamedRule, FileError> =>
  Either.match(found, {
    onLeft: (errors) => new FileError({ file: name, text: errors.map(errorText).join("; ") }),
    onRight: (rule) => Effect.succeed({ ...rule, name })
  })

/** The field, the column in its expression, and what is wrong. */
export const errorText = ({ column, field, text }: RuleError): string =>
  `${field}${column === undefined ? "" : ` (column ${column})`} ${text}`.trim()

/** The candles that a rule looks at: all that there are, of each of its markets. */
export const ground = (
  { name, rule }: NamedRule,
  series: ReadonlyArray<ReadSeries>,
  range: Range
): Effect.Effect<RuleGround, FileError> => {
  const whole = series.map(({ exchange, pair, whole }) => ({ exchange, pair, columns: whole }))
  const found = groundOf(rule, whole, range)
  if (Either.isLeft(found)) {
    const { market, text } = found.left
    return new FileError({ file: name, text: `the candles of ${market.pair} ${text}` })
  }
  return found.right.markets.length === 0
    ? new FileError({ file: name, text: "looks at no pair that --candles gives" })
    : Effect.succeed(found.right)
}

/** The alerts that a rule raises over the candles of a back-test. */
export const alertsOf = (rule: NamedRule, series: ReadonlyArray<ReadSeries>, range: Range) =>
  Effect.gen(function* () {
    const found = yield* ground(rule, series, range)
    const [run] = runsOf([rule], found)
    if (run === undefined || run.isCut)
      return yield* new FileError({ file: rule.name, text: `raises more than ${MAX_RAISED} alerts` })
    const outcome: Outcome["rule"] = { name: rule.name, tested: rule, ground: found, run }
    return { alerts: timedAlerts(run), skipped: [], rule: outcome }
  })
