// The option --rule: a rule that raises the alerts of a back-test by itself, in place of a file of alerts.
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { RuleError } from "../../domain/signalRule/RuleError.ts"
import * as RuleReading from "../../domain/signalRule/RuleReading.ts"
import type { Outcome } from "../../trading/backtest/BacktestView.ts"
import {
  groundOf,
  MAX_RAISED,
  type RuleGround,
  runsOf,
  timedAlerts
} from "../../trading/signalRule/RuleRecording.ts"
import { usage } from "../program/usage.ts"
import { FileError, readText } from "./files.ts"
import type { Range } from "./range.ts"
import type { ReadSeries } from "./series.ts"

export const rule = Options.text("rule").pipe(
  Options.optional,
  Options.withDescription(
    "a JSON file with a rule, as the field rule of a signal has it: it raises the alerts at the close of its candles, in place of --alerts. Candles before --from warm it up"
  )
)
export const listAlerts = Options.boolean("list-alerts").pipe(
  Options.withDescription("list every alert of the rule, with the values that decided it")
)

/** A rule with its name for reports, which is that of its file. */
export interface NamedRule extends RuleReading.ReadRule {
  readonly name: string
}

/** The rule, if one is given. It takes the place of alerts from a file. */
export const chosen = (options: {
  readonly rule: Option.Option<string>
  readonly alerts: Option.Option<string>
}): Effect.Effect<Option.Option<NamedRule>, FileError | Effect.Effect.Error<ReturnType<typeof usage>>> => {
  if (Option.isNone(options.rule)) return Effect.succeedNone
  if (Option.isSome(options.alerts))
    return usage("--rule raises the alerts itself, in place of --alerts: give one of the two")
  return Effect.asSome(read(options.rule.value))
}

/** Reads a rule. Every error is named with its field, and with its column in an expression. */
const read = (file: string): Effect.Effect<NamedRule, FileError> =>
  Effect.flatMap(readText(file), (text) =>
    Either.match(RuleReading.readText(text), {
      onLeft: (errors) => new FileError({ file, text: errors.map(errorText).join("; ") }),
      onRight: (found) => Effect.succeed({ ...found, name: file })
    })
  )

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
