// `signalbox signal export` and `signal apply`: signals as JSON files, made and updated by name. A file is applied in one
// transaction; a running server notices within 100 ms.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import * as SignalRequest from "../../domain/requests/SignalRequest.ts"
import type { Signal, SignalDraft, SignalId, SignalNotFound, TooManySignals } from "../../domain/Signal.ts"
import { Signals } from "../../services/Signals.ts"
import * as Applying from "../apply/Applying.ts"
import type { Applied } from "../apply/Report.ts"
import { database, onStored } from "../program/shared.ts"
import { plain } from "../program/table.ts"
import { ownedById } from "./Owned.ts"

const ids = Args.integer({ name: "id" }).pipe(
  Args.atLeast(1),
  Args.withDescription("the ids of the signals, as signalbox signal list shows them")
)

export const exported = Command.make("export", { ids, db: database }, (options) =>
  Effect.gen(function* () {
    const signals = yield* Effect.forEach(options.ids, ownedById)
    const files = yield* Effect.forEach(signals, withRule)
    yield* Console.log(JSON.stringify(files.length === 1 ? files[0] : files, undefined, 2))
  }).pipe(onStored(options.db))
).pipe(Command.withDescription("print signals as JSON, for signal apply and other databases"))

const draftOf = ({ active, description, name, public: isPublic }: Signal): SignalDraft => ({
  ...{ name, description, active },
  public: isPublic
})

/** The draft that would make the signal. */
const withRule = (signal: Signal) =>
  signal.rule === undefined
    ? Effect.succeed(draftOf(signal))
    : Effect.flatMap(Signals, (signals) =>
        Effect.map(signals.rule(signal.account, signal.id), (rule) => ({
          ...draftOf(signal),
          ...Option.match(rule, { onNone: () => ({}), onSome: ({ document }) => ({ rule: document }) })
        }))
      )

export const apply = Command.make("apply", Applying.options("signal"), (options) =>
  Effect.gen(function* () {
    const account = yield* Applying.accountOf(options.account)
    const sql = yield* SqlClient.SqlClient
    yield* Applying.run({ ...options, idName: "id" }, (records) =>
      Effect.catchTag(sql.withTransaction(applied(account, records, options.dryRun)), "SqlError", Effect.die)
    )
  }).pipe(onStored(options.db))
).pipe(
  Command.withDescription(
    "create and update signals from files, by name; each file is applied whole or not at all"
  )
)

/** Reads, plans and stores in one transaction, so that nobody changes a signal in between. */
const applied = Effect.fnUntraced(function* (
  account: AccountId,
  records: ReadonlyArray<Fields>,
  isDry: boolean
) {
  const signals = yield* Signals
  const names = new Set(records.map(({ name }) => name))
  const own = yield* signals.list(account, {})
  const drafts = yield* Effect.forEach(
    own.filter(({ name }) => names.has(name)),
    (signal) => Effect.map(withRule(signal), (draft) => ({ id: signal.id, draft }))
  )
  const planned = planOf(records, drafts)
  if (Either.isLeft(planned)) return yield* new Applying.NotApplied({ errors: planned.left })
  if (isDry) return planned.right.map(({ draft: _, ...record }) => record)
  const stored = ({ draft, id }: Planned): Effect.Effect<Signal, SignalNotFound | TooManySignals> =>
    id === undefined
      ? signals.create(account, draft)
      : Effect.map(signals.update(account, id, draft), ({ signal }) => signal)
  return yield* Effect.forEach(planned.right, (plan) => {
    const { draft: _, ...record } = plan
    if (record.action === "unchanged") return Effect.succeed<Applied>(record)
    return Effect.mapBoth(stored(plan), {
      onSuccess: ({ id }): Applied => ({ ...record, id }),
      onFailure: ({ message }) => new Applying.NotApplied({ errors: [message] })
    })
  })
})

/** A signal of the account, as its file would be. */
interface Own {
  readonly id: SignalId
  readonly draft: SignalDraft
}

interface Planned extends Applied {
  readonly draft: SignalDraft
}

/** What the records change, or everything that is wrong with them. */
const planOf = (
  records: ReadonlyArray<Fields>,
  own: ReadonlyArray<Own>
): Either.Either<ReadonlyArray<Planned>, ReadonlyArray<string>> => {
  const errors: Array<string> = []
  const planned: Array<Planned> = []
  const names = new Set<string>()
  for (const [index, record] of records.entries()) {
    const draft = SignalRequest.parseCreate("json", record)
    const unknown = Object.keys(record).filter((field) => !FIELDS.has(field))
    const label = Either.isRight(draft) ? `"${plain(draft.right.name)}"` : `signal ${index + 1} of the file`
    for (const field of unknown.slice(0, MOST_UNKNOWN))
      errors.push(`${label}: ${plain(field).slice(0, MOST_NAME)} no signal has this field`)
    if (Either.isLeft(draft)) {
      for (const [field, texts] of Object.entries(draft.left.errors))
        errors.push(`${label}: ${field} ${texts.join("; ")}`)
      continue
    }
    const { name } = draft.right
    const named = own.filter(({ draft }) => draft.name === name)
    if (named.length > 1)
      errors.push(
        `${label}: name is that of several signals, ${named.map(({ id }) => id).join(" and ")}: rename all but one`
      )
    if (names.has(name)) errors.push(`${label}: is in the file more than once`)
    names.add(name)
    planned.push(plannedOf(named[0], draft.right))
  }
  return errors.length > 0 ? Either.left(errors) : Either.right(planned)
}

/** Fields of a signal, and those that the API adds: a file may hold what GET answers. */
const FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(SignalRequest.JsonDraft.fields),
  ...["id", "has_rule", "rule_version", "rule_made_at", "created_at", "updated_at"]
])
/** The most unknown fields that are named, and the most letters of each. */
const MOST_UNKNOWN = 10
const MOST_NAME = 60

const plannedOf = (own: Own | undefined, draft: SignalDraft): Planned => {
  const before = own === undefined ? undefined : new Map<string, unknown>(Object.entries(own.draft))
  const changes = Object.entries(draft).flatMap(([field, to]) => {
    const from = before?.get(field) ?? null
    // A rule is the only value that is not a single one.
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }]
  })
  const changed = changes.length > 0 ? "update" : "unchanged"
  return { id: own?.id, name: draft.name, action: own === undefined ? "create" : changed, changes, draft }
}
