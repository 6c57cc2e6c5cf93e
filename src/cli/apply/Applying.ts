// What `strategy apply` and `signal apply` share: the account, one file after the other, the report, and the exit code.
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Fields } from "../../domain/requests/Form.ts"
import { Accounts } from "../../services/Accounts.ts"
import { database, json } from "../program/shared.ts"
import { plain } from "../program/table.ts"
import { usage } from "../program/usage.ts"
import * as RecordFile from "./RecordFile.ts"
import * as Report from "./Report.ts"

/** The options of both: the files of records of a kind, like `strategy`, and what to do with them. */
export const options = (kind: string) => ({
  files: Args.text({ name: "file" }).pipe(
    Args.atLeast(1),
    Args.withDescription(`a JSON file with a ${kind} or a list of them, as ${kind} export writes it`)
  ),
  account,
  dryRun: Options.boolean("dry-run").pipe(
    Options.withDescription("only show what would be created and updated")
  ),
  ...{ json, db: database }
})

const account = Options.text("account").pipe(
  Options.withPseudoName("NAME"),
  Options.optional,
  Options.withDescription("the account that the records belong to; needed where there are several")
)

/** Nothing of a file was applied: why, a line each. */
export class NotApplied extends Data.TaggedError("NotApplied")<{ readonly errors: ReadonlyArray<string> }> {
  override get message() {
    return this.errors.join("\n")
  }
}

/** At least one file was not applied: exit code 1. */
class SomeNotApplied extends Data.TaggedError("SomeNotApplied")<{ readonly message: string }> {}

/** The id of the account of that name, or of the only one that there is. */
export const accountOf = (name: Option.Option<string>) => Effect.map(ownerOf(name), ({ id }) => id)

/** The account of that name, or the only one that there is. */
export const ownerOf = Effect.fnUntraced(function* (name: Option.Option<string>) {
  const all = yield* Effect.flatMap(Accounts, (accounts) => accounts.all)
  const found = all.filter((it) => Option.isNone(name) || it.name === name.value)
  const [first, second] = found
  if (second !== undefined)
    return yield* usage(
      `there are several accounts: name one of ${all.map((it) => plain(it.name)).join(", ")} with --account`
    )
  if (first !== undefined) return first
  return yield* new NotApplied({
    errors: [
      Option.isNone(name)
        ? "there is no account yet: signalbox token create --account NAME"
        : `there is no account ${plain(name.value)}: signalbox token list shows them`
    ]
  })
})

interface ApplyOptions {
  readonly files: ReadonlyArray<string>
  readonly dryRun: boolean
  readonly json: boolean
  readonly idName: string
}

/** Applies the files in their sequence, each whole or not at all, and reports on all of them. */
export const run = Effect.fnUntraced(function* <E extends Error, R>(
  { dryRun, files, idName, json }: ApplyOptions,
  apply: (records: ReadonlyArray<Fields>) => Effect.Effect<ReadonlyArray<Report.Applied>, NotApplied | E, R>
) {
  const reports: Array<Report.FileReport> = []
  const names = new Set<unknown>()
  for (const file of files) {
    const report = yield* Effect.gen(function* () {
      const records = yield* RecordFile.read(file)
      const again = records.find(({ name }) => names.has(name))
      if (again !== undefined)
        return yield* new NotApplied({
          errors: [`${plain(String(again["name"]))} was applied from an earlier file`]
        })
      const applied = yield* apply(records)
      for (const { name } of records) names.add(name)
      return { file, records: applied, errors: [] }
    }).pipe(
      Effect.catchIf(isRefusal, ({ message }) =>
        Effect.succeed({ file, records: [], errors: message.split("\n") })
      )
    )
    reports.push(report)
  }
  const text = Report.text(reports, dryRun)
  if (json) yield* Console.log(JSON.stringify(Report.json(reports, { idName, isDry: dryRun })))
  else if (text !== "") yield* Console.log(text)
  const errors = reports.flatMap(({ errors, file }) => errors.map((error) => `${plain(file)}: ${error}`))
  if (errors.length > 0)
    return yield* new SomeNotApplied({
      message: [...errors, `nothing of ${countText(reports)} was applied`].join("\nsignalbox: ")
    })
})

const isRefusal = (error: Error): error is NotApplied | RecordFile.FileUnreadable =>
  error instanceof NotApplied || error instanceof RecordFile.FileUnreadable

const countText = (reports: ReadonlyArray<Report.FileReport>): string => {
  const failed = reports.filter(({ errors }) => errors.length > 0).length
  return reports.length === 1 ? "the file" : `${failed} of ${reports.length} files`
}
