// `signalbox account`: connects, lists, checks, re-keys and removes accounts at exchanges. Keys go in and are never
// printed.
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { ExchangeAccounts } from "../services/ExchangeAccounts.ts"
import { usersOf } from "../sql/ExchangeAccounts.ts"
import { connect } from "./account/connect.ts"
import * as KeyCheck from "./account/KeyCheck.ts"
import { accountNamed, accountsOf, exchangeUrls, name, onAccounts, owner } from "./account/Reach.ts"
import { rekey } from "./account/rekey.ts"
import { rotateKey } from "./account/rotate.ts"
import { database, json } from "./program/shared.ts"
import { columns, moment } from "./program/table.ts"
import { usage } from "./program/usage.ts"

const list = Command.make("list", { owner, json, db: database }, (options) =>
  Effect.gen(function* () {
    const { unlock } = yield* ExchangeAccounts
    const rows = yield* Effect.forEach(yield* accountsOf(options.owner), ({ account, owner }) =>
      Effect.gen(function* () {
        const opened = yield* Effect.either(unlock(account.id))
        const strategies = yield* usersOf(account.id)
        return { account, owner: owner.name, strategies, locked: lockedOf(opened) }
      })
    )
    if (options.json)
      return yield* Console.log(
        JSON.stringify(
          rows.map(({ account, locked, owner, strategies }) => ({
            id: account.id,
            owner,
            name: account.name,
            exchange: account.exchange,
            sandbox: account.sandbox,
            created_at: account.createdAt,
            checked_at: Option.getOrNull(account.checkedAt),
            problem: Option.getOrNull(account.problem),
            locked: locked ?? null,
            strategies
          }))
        )
      )
    if (rows.length === 0)
      return yield* Console.log("No exchange account is connected yet: signalbox account connect EXCHANGE")
    yield* Console.log(
      columns(
        ["name", "exchange", "owner", "connected", "checked", "state", "strategies"],
        rows.map(({ account, locked, owner, strategies }) => [
          account.name,
          account.sandbox ? `${account.exchange} (test)` : account.exchange,
          owner,
          moment(account.createdAt),
          Option.match(account.checkedAt, { onNone: () => "never", onSome: moment }),
          locked === undefined ? Option.getOrElse(account.problem, () => "well") : "locked",
          strategies.join(", ")
        ])
      )
    )
    const reasons = new Set(rows.flatMap(({ locked }) => (locked === undefined ? [] : [locked])))
    for (const reason of reasons) yield* Console.error(`signalbox: locked: ${reason}`)
  }).pipe(onAccounts({ ...options, exchangeUrls: "" }))
).pipe(
  Command.withDescription(
    "list exchange accounts, and whether their keys can be unlocked; keys are never shown"
  )
)

/** Why an account's keys cannot be unlocked, if they cannot. */
const lockedOf = (opened: Either.Either<unknown, { readonly _tag: string; readonly message: string }>) =>
  Either.isLeft(opened) && opened.left._tag === "VaultLocked" ? opened.left.message : undefined

const check = Command.make("check", { name, owner, json, db: database, exchangeUrls }, (options) =>
  Effect.gen(function* () {
    const { account } = yield* accountNamed(options.name, options.owner)
    const { checked, unlock } = yield* ExchangeAccounts
    const { credentials } = yield* unlock(account.id)
    const found = yield* Effect.either(KeyCheck.demand(account.exchange, account.sandbox, credentials))
    const problem = Option.map(Either.getLeft(found), ({ message }) => message)
    yield* checked(account.account, account.id, problem)
    if (options.json) {
      const document = Either.match(found, { onLeft: () => null, onRight: KeyCheck.document })
      yield* Console.log(
        JSON.stringify({
          id: account.id,
          name: account.name,
          problem: Option.getOrNull(problem),
          checked: document
        })
      )
    }
    if (Either.isLeft(found)) return yield* found.left
    if (!options.json) yield* Console.log(KeyCheck.words(found.right))
  }).pipe(onAccounts(options))
).pipe(Command.withDescription("ask the exchange whether an account's keys still work, and what they may do"))

const yes = Options.boolean("yes").pipe(
  Options.withDescription("confirm: the keys are deleted here for good, but stay valid at the exchange")
)

const remove = Command.make("remove", { name, owner, yes, json, db: database }, (options) =>
  Effect.gen(function* () {
    const { account } = yield* accountNamed(options.name, options.owner)
    if (!options.yes)
      return yield* usage(`this deletes the keys of ${account.name} for good: confirm with --yes`)
    yield* Effect.flatMap(ExchangeAccounts, ({ remove }) => remove(account.account, account.id))
    yield* Console.log(
      options.json
        ? JSON.stringify({ id: account.id, removed: true })
        : `${account.name} is removed. Delete its keys at ${account.exchange} too.`
    )
  }).pipe(onAccounts({ ...options, exchangeUrls: "" }))
).pipe(Command.withDescription("delete an exchange account and its keys; no strategy may trade with it"))

export const account = Command.make("account").pipe(
  Command.withDescription("connect accounts at exchanges, to trade with real money"),
  Command.withSubcommands([connect, list, check, rekey, remove, rotateKey])
)
