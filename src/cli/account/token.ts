// `signalbox token`: creates, lists and revokes tokens. A secret is printed once and stored nowhere.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { madeWith, type Token } from "../../domain/Account.ts"
import { Accounts } from "../../services/Accounts.ts"
import { byDefault, database, json, onStorage, onStored, placeOf } from "../program/shared.ts"
import { columns, moment } from "../program/table.ts"
import { usage } from "../program/usage.ts"

const account = Options.text("account").pipe(
  Options.withDescription("the account that the token belongs to; created if it does not exist")
)
const scope = byDefault(
  Options.choice("scope", ["full", "alerts"]),
  "full",
  "full may do everything; alerts may only send alerts, and belongs in webhook addresses"
)
const expires = Options.text("expires").pipe(
  Options.optional,
  Options.withDescription("how long it is valid, like 12h, 90d or 1y; by default for ever")
)

const create = Command.make("create", { account, scope, expires, json, db: database }, (options) =>
  Effect.gen(function* () {
    const span = yield* Option.match(options.expires, {
      onNone: () => Effect.succeedNone,
      onSome: (text) => Effect.asSome(parseSpan(text))
    })
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const accounts = yield* Accounts
    const { secret, token } = yield* accounts.issue(
      options.account,
      options.scope,
      Option.map(span, (seconds) => now + seconds)
    )
    const text = Redacted.value(secret)
    yield* options.json
      ? Console.log(JSON.stringify({ id: token.id, token: text, ...shown(token) }))
      : Console.log(
          `${text}\n\nToken ${token.id} of ${token.account}, scope ${token.scope}. It is shown only this once, and counts on servers that use this database: ${placeOf(options.db)}`
        )
  }).pipe(onStorage(options.db))
).pipe(Command.withDescription("create a token, and its account if it does not exist"))

const list = Command.make("list", { json, db: database }, (options) =>
  Effect.gen(function* () {
    const tokens = yield* Effect.flatMap(Accounts, (accounts) => accounts.tokens)
    const valid = tokens.filter((token) => Option.isNone(token.revokedAt))
    if (options.json) {
      const rows = valid.map((token) => ({
        id: token.id,
        ...shown(token),
        last_used_at: Option.getOrNull(token.lastUsedAt),
        ...Option.match(token.madeBy, { onNone: () => ({}), onSome: (made_by) => ({ made_by }) })
      }))
      return yield* Console.log(JSON.stringify(rows))
    }
    if (valid.length === 0)
      return yield* Console.log(
        `There is no token in the database ${placeOf(options.db)} yet: signalbox token create --account NAME`
      )
    const row = (token: Token) => [
      String(token.id),
      token.account,
      token.scope,
      Option.match(token.expiresAt, { onNone: () => "never", onSome: moment }),
      Option.match(token.lastUsedAt, { onNone: () => "never", onSome: moment }),
      Option.match(token.madeBy, { onNone: () => "-", onSome: (id) => `token ${id}` })
    ]
    yield* Console.log(
      columns(["id", "account", "scope", "expires", "last used", "made with"], valid.map(row))
    )
  }).pipe(onStored(options.db))
).pipe(Command.withDescription("list the tokens that are not revoked"))

const id = Args.integer({ name: "id" }).pipe(
  Args.withDescription("the token's id, as signalbox token list shows it")
)

const revoke = Command.make("revoke", { id, json, db: database }, ({ db, id, json }) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    yield* accounts.revoke(id)
    if (json) return yield* Console.log(JSON.stringify({ id, revoked: true }))
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const left = madeWith(yield* accounts.tokens, id, now).map((token) => String(token.id))
    yield* Console.log(
      left.length === 0
        ? `Token ${id} is revoked.`
        : `Token ${id} is revoked. Tokens that were made with it are still valid: ${left.join(", ")}.`
    )
  }).pipe(onStored(db))
).pipe(Command.withDescription("revoke a token: it is refused from now on"))

export const token = Command.make("token").pipe(Command.withSubcommands([create, list, revoke]))

const shown = (token: Token) => ({
  account: token.account,
  scope: token.scope,
  expires_at: Option.getOrNull(token.expiresAt)
})

const YEARS = /^(\d{1,4})\s*(y|w|d|h|m|s)$/
const SECONDS = new Map([
  ["y", Duration.toSeconds("365 days")],
  ["w", Duration.toSeconds("7 days")],
  ["d", Duration.toSeconds("1 day")],
  ["h", Duration.toSeconds("1 hour")],
  ["m", 60],
  ["s", 1]
])

/** The seconds of a span like `90d`. */
const parseSpan = (text: string) => {
  const [, count = "", unit = ""] = YEARS.exec(text) ?? []
  const seconds = Number(count) * (SECONDS.get(unit) ?? 0)
  return seconds > 0
    ? Effect.succeed(seconds)
    : usage("--expires takes a number and a unit, like 12h, 90d or 1y")
}
