// `signalbox alerts export`: prints recorded alerts in the format that `backtest --alerts` reads. It opens the
// database read-only.
import { closeSync, openSync, writeSync } from "node:fs"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Records from "../Records.ts"
import * as RecordedAlerts from "../sql/readers/RecordedAlerts.ts"
import * as AlertsFile from "../trading/backtest/AlertsFile.ts"
import { FileError } from "./backtest/files.ts"
import * as Range from "./backtest/range.ts"
import { inOneLine } from "./program/databaseErrors.ts"
import { database, json, optional } from "./program/shared.ts"
import { usage } from "./program/usage.ts"
import * as BatchWriter from "./sweep/BatchWriter.ts"

/** The account, strategy or signal does not exist: exit code 1. */
class NothingToExport extends Data.TaggedError("NothingToExport")<{ readonly message: string }> {}
const nothing = (message: string) => new NothingToExport({ message })

const strategy = Options.integer("strategy").pipe(
  Options.optional,
  Options.withDescription("only alerts of the signal that this strategy follows")
)
const signal = Options.integer("signal").pipe(
  Options.optional,
  Options.withDescription("only alerts of this signal")
)
const account = optional(
  "account",
  "only alerts of this account; required if there are several accounts and neither --strategy nor --signal is given"
)
const out = optional("out", "write to this file instead of standard output")

const options = { strategy, signal, account, from: Range.from, to: Range.to, out, json, db: database }

/** The operator's view: exports the alerts of any account, also while the server runs. */
const exported = Command.make("export", options, (options) =>
  Effect.gen(function* () {
    const { account, signal, strategy } = options
    if ([account, signal, strategy].filter(({ _tag }) => _tag === "Some").length > 1)
      return yield* usage("give one of --strategy, --signal and --account")
    if (options.json && Option.isNone(options.out))
      return yield* usage("--json needs --out: without it the output already is JSON, one alert a line")
    const range = yield* Range.rangeOf(options)
    const recorded = yield* Records.recordedAlerts(options.db)
    const choice = { ...(yield* chosen(recorded, options)), ...range }
    const write = yield* sinkOf(options.out)
    let count = 0
    for (let after = 0, full = true; full; ) {
      const alerts = yield* recorded.page(choice, after)
      yield* write(alerts.map((alert) => `${AlertsFile.textOf(alert)}\n`).join(""))
      count += alerts.length
      after = alerts.at(-1)?.id ?? after
      full = alerts.length === RecordedAlerts.PAGE
    }
    if (Option.isNone(options.out)) return
    const file = options.out.value
    yield* Console.log(options.json ? JSON.stringify({ file, alerts: count }) : `${file}: ${count} alerts`)
  }).pipe(Effect.scoped, inOneLine(options.db))
).pipe(
  Command.withDescription(
    "print recorded alerts, oldest first, in the format that backtest --alerts reads; works while the server runs"
  )
)

export const alerts = Command.make("alerts").pipe(
  Command.withDescription("export recorded alerts"),
  Command.withSubcommands([exported])
)

interface AlertsQuery {
  readonly strategy: Option.Option<number>
  readonly signal: Option.Option<number>
  readonly account: Option.Option<string>
}

/** The account or signal whose alerts are exported. */
const chosen = (recorded: RecordedAlerts.Reader, query: AlertsQuery) =>
  Effect.gen(function* () {
    if (Option.isSome(query.account)) {
      const account = yield* recorded.accountNamed(query.account.value)
      if (account === undefined) return yield* nothing(`there is no account ${query.account.value}`)
      return { account, signal: undefined }
    }
    if (Option.isSome(query.strategy)) {
      const strategy = query.strategy.value
      const signal = yield* recorded.signalOf(strategy)
      if (signal === undefined) return yield* nothing(`there is no strategy ${strategy}`)
      if (signal === 0)
        return yield* nothing(`strategy ${strategy} follows no signal: choose one with --signal`)
      return { account: undefined, signal }
    }
    const signal = Option.getOrUndefined(query.signal)
    if (signal !== undefined && !(yield* recorded.isSignal(signal)))
      return yield* nothing(`there is no signal ${signal}`)
    if (signal === undefined && (yield* recorded.accounts) > 1)
      return yield* usage("there are several accounts: choose with --strategy, --signal or --account")
    return { account: undefined, signal }
  })

/** The output of the lines: the file, or standard output. */
const sinkOf = (out: Option.Option<string>) =>
  Option.match(out, {
    onNone: () => Effect.succeed((text: string) => BatchWriter.toStandardOutput([text])),
    onSome: (file) => {
      const refused = () => new FileError({ file, text: "cannot be written" })
      return Effect.map(
        Effect.acquireRelease(
          Effect.try({ try: () => openSync(file, "w", 0o600), catch: refused }),
          (opened) => Effect.sync(() => closeSync(opened))
        ),
        (opened) => (text: string) => Effect.try({ try: () => void writeSync(opened, text), catch: refused })
      )
    }
  })
