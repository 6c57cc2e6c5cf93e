// `signalbox strategy copy` and `sync`: make a strategy of a public one or of one's own, and take over what the original
// changed since. The running server does both, under the rules of the interface.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { CopiedView, OriginView, SyncedView } from "../../api/directory/CopyViews.ts"
import { unknownFields } from "../../domain/requests/UnknownFields.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Accounts } from "../../services/Accounts.ts"
import * as Applying from "../apply/Applying.ts"
import { lineOf } from "../apply/Report.ts"
import { addressOf, ask, decoded, type ServerRequest, server } from "../program/runningServer.ts"
import { database, json } from "../program/shared.ts"
import { plain } from "../program/table.ts"
import { usage } from "../program/usage.ts"
import { strategyOf } from "./Known.ts"
import { onLive } from "./Ports.ts"

const original = Args.integer({ name: "id" }).pipe(
  Args.withDescription("the original's id, as signalbox public list or strategy list shows it")
)
const account = Options.text("account").pipe(
  Options.withPseudoName("NAME"),
  Options.optional,
  Options.withDescription("the account that the copy belongs to; needed where there are several")
)
const name = Options.text("name").pipe(
  Options.optional,
  Options.withDescription("the copy's name; by default the original's")
)
const set = Options.keyValueMap("set").pipe(
  Options.withDescription(
    "a field of a request and its value, such as stop_loss_percentage=4, in place of the original's; a sync keeps it"
  ),
  Options.optional
)

/** Makes a copy. */
export const copy = Command.make(
  "copy",
  { id: original, account, name, set, server, json, db: database },
  (options) =>
    Effect.gen(function* () {
      const overrides = new Map(
        HashMap.toEntries(Option.getOrElse(options.set, HashMap.empty<string, string>))
      )
      const body = Object.fromEntries([
        ...[...overrides].map(([field, value]) => [field, valueOf(value)] as const),
        ...Option.toArray(Option.map(options.name, (text) => ["name", text] as const))
      ])
      const wrong = unknownFields(body)
      if (wrong.length > 0)
        return yield* usage(
          wrong.map(({ field, text }) => `--set ${plain(field)}: ${plain(text)}`).join("; ")
        )
      const base = yield* addressOf(options.server)
      const owner = yield* Applying.ownerOf(options.account)
      const path = `/v1/strategies/${options.id}/copy`
      const response = yield* ask(base, owner.name, { method: "POST", path, body })
      if (options.json) return yield* Console.log(response.text)
      const made = yield* decoded(CopiedView, response)
      yield* Console.log(
        [
          `Strategy ${made.strategy_id}, ${plain(made.name)}, is a copy of strategy ${options.id}: on paper, and private.`,
          ...made.warnings.map((warning) => `Warning: ${plain(warning)}`)
        ].join("\n")
      )
    }).pipe(onLive(options.db))
).pipe(
  Command.withDescription(
    "make a strategy of one's own of a public one, on paper; needs a running server, and starts with its settings"
  )
)

const id = Args.integer({ name: "id" }).pipe(
  Args.withDescription("the copy's id, as signalbox strategy list shows it")
)
const dryRun = Options.boolean("dry-run").pipe(
  Options.withDescription("only show what the original changed, and what would be taken over")
)

/** Takes over what the original of a copy changed. */
export const sync = Command.make("sync", { id, "dry-run": dryRun, server, json, db: database }, (options) =>
  Effect.gen(function* () {
    const strategy = yield* strategyOf(options.id)
    const owner = yield* ownerOf(strategy)
    const base = yield* addressOf(options.server)
    const path = `/v1/strategies/${options.id}`
    const request: ServerRequest = options["dry-run"]
      ? { method: "GET", path: `${path}/origin` }
      : { method: "POST", path: `${path}/sync` }
    const response = yield* ask(base, owner, request)
    if (options.json) return yield* Console.log(response.text)
    yield* Console.log(
      options["dry-run"]
        ? originText(yield* decoded(OriginView, response))
        : syncedText(yield* decoded(SyncedView, response))
    )
  }).pipe(onLive(options.db))
).pipe(
  Command.withDescription(
    "take over what the original of a copy changed; what was set on the copy stays; needs a running server"
  )
)

const ownerOf = ({ account }: Strategy) =>
  Effect.map(
    Effect.flatMap(Accounts, (accounts) => accounts.all),
    (all) => all.find(({ id }) => id === account)?.name ?? ""
  )

const syncedText = ({ changed, name, strategy_id, warnings }: SyncedView): string =>
  [
    `Strategy ${strategy_id}, ${plain(name)}: ${changed.length === 0 ? "nothing to take over" : `took over ${changed.join(", ")}`}.`,
    ...warnings.map((warning) => `Warning: ${plain(warning)}`)
  ].join("\n")

const originText = ({ changes, copied_from, name, strategy_id }: OriginView): string =>
  [
    `Strategy ${strategy_id} is a copy of strategy ${copied_from}, ${plain(name)}.`,
    ...(changes.length === 0 ? ["The original has not changed since."] : []),
    ...changes.flatMap(({ field, original, own, takes }) => [
      `${takes ? "would be taken over" : "stays as it was chosen here"}:`,
      lineOf({ field, from: own, to: original })
    ])
  ].join("\n")

/** A value in JSON, such as true, 4 or null; any other text is itself, and so is a number beyond all bounds. */
const valueOf = (text: string): unknown =>
  decodeJson(text).pipe(
    Option.filter((value) => typeof value !== "number" || Number.isFinite(value)),
    Option.getOrElse(() => text)
  )
const decodeJson = Schema.decodeUnknownOption(Schema.parseJson(Schema.Unknown))
