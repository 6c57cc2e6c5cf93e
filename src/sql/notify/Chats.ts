// The stored layer of paired chats. Nothing is cached: a code that a command issued counts at once in the running
// server, and a pairing that was removed there counts no more.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { AccountId } from "../../domain/Account.ts"
import { MAX_AGE_SECONDS, MAX_CODES } from "../../domain/internal/SignInCode.ts"
import { Cursor, PairingNotFound, type Person } from "../../domain/notify/Chat.ts"
import { TargetId, TargetNotFound } from "../../domain/Target.ts"
import { inRealTime } from "../../services/internal/RealTime.ts"
import { Chats, refusalOf } from "../../services/notify/Chats.ts"
import * as ChangeSignal from "../../services/records/ChangeSignal.ts"
import { digestOf, drawCode, matching } from "../../services/records/SignInCodes.ts"
import { ChangeWatch } from "../client/ChangeWatch.ts"
import { orDie } from "../client/SqlErrors.ts"
import * as Dialect from "../Dialect.ts"
import { CODES, codes, PAIRING, PAIRINGS, pairings } from "../rows/ChatRows.ts"
import * as Rows from "../rows/Rows.ts"

const targets = Rows.reader(Schema.Struct({ target: TargetId }))
const needed = Rows.reader(Schema.Struct({ account: AccountId, target: TargetId }))
const cursors = Rows.reader(Cursor)

/** Real time, also in a replay: the ten minutes are people's. */
const now = inRealTime(Rows.nowSeconds)

/** The codes: each is issued and used up in a transaction. */
const keepingCodes = (
  sql: SqlClient.SqlClient,
  changed: () => void
): Pick<typeof Chats.Service, "issue" | "redeem"> => {
  /** Bounds and codes are looked at before they are written: by one transaction at a time. */
  const oneByOne = Dialect.inTurn(sql, "chats")

  const issue = Effect.fn("Chats.issue")(
    function* (account: AccountId, target: number) {
      const at = yield* now
      yield* oneByOne
      yield* Rows.orFail(() => new TargetNotFound())(
        targets.first(
          sql`SELECT id AS target FROM notification_targets WHERE id = ${target} AND account = ${account}`
        )
      )
      const code = drawCode()
      const expiresAt = at + MAX_AGE_SECONDS
      yield* sql`DELETE FROM chat_codes WHERE expires_at <= ${at} OR id IN
        (SELECT id FROM chat_codes WHERE account = ${account} ORDER BY id DESC LIMIT ${Rows.NO_LIMIT} OFFSET ${MAX_CODES - 1})`
      yield* sql`INSERT INTO chat_codes (account, target, hash, expires_at)
        VALUES (${account}, ${target}, ${digestOf(code)}, ${expiresAt})`
      changed()
      return { code: Redacted.make(code), expiresAt }
    },
    sql.withTransaction,
    orDie
  )

  const redeem = Effect.fn("Chats.redeem")(
    function* (ids: ReadonlyArray<TargetId>, text: string, person: Person) {
      const at = yield* now
      yield* oneByOne
      const waiting = yield* codes.all(
        sql`${sql.literal(CODES)} WHERE expires_at > ${at} AND ${sql.in("target", ids)}`
      )
      const code = matching(waiting, text)
      if (code === undefined) return Option.none()
      const { account, target } = code
      const { chat, name, user } = person
      const known = yield* pairings.all(
        sql`${sql.literal(PAIRINGS)} WHERE account = ${account} OR (chat = ${chat} AND ${sql.in("target", ids)})`
      )
      yield* refusalOf(known, ids, { ...person, account })
      yield* sql`DELETE FROM chat_codes WHERE id = ${code.id}`
      yield* sql`DELETE FROM chats WHERE chat = ${chat} AND "user" = ${user} AND ${sql.in("target", ids)}`
      const pairing =
        yield* pairings.one(sql`INSERT INTO chats (account, target, chat, "user", name, paired_at)
        VALUES (${account}, ${target}, ${chat}, ${user}, ${name}, ${at})
        RETURNING ${sql.literal(PAIRING)}`)
      changed()
      return Option.some(pairing)
    },
    sql.withTransaction,
    orDie
  )

  return { issue, redeem }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const changes = ChangeSignal.ofChanges()
  // Commands beside the server issue codes and remove pairings too.
  const watch = yield* ChangeWatch
  yield* watch.onChange(changes.changed)
  const changed = () => watch.apply(changes.changed)
  const select = sql.literal(PAIRINGS)

  return Chats.of({
    ...keepingCodes(sql, changed),
    list: Effect.fn("Chats.list")((account: AccountId) =>
      pairings.all(sql`${select} WHERE account = ${account} ORDER BY id`)
    ),
    find: Effect.fn("Chats.find")(
      (ids: ReadonlyArray<TargetId>, { chat, user }: Pick<Person, "chat" | "user">) =>
        pairings.first(
          sql`${select} WHERE chat = ${chat} AND "user" = ${user} AND ${sql.in("target", ids)} ORDER BY id`
        )
    ),
    remove: Effect.fn("Chats.remove")(function* (account: AccountId, id: number) {
      const removed = yield* orDie(
        sql`DELETE FROM chats WHERE id = ${id} AND account = ${account} RETURNING id`
      )
      if (removed.length === 0) return yield* new PairingNotFound()
      changed()
    }),
    needed: Effect.flatMap(now, (at) => {
      changes.reading()
      return needed.all(sql`SELECT account, target FROM chats
        UNION SELECT account, target FROM chat_codes WHERE expires_at > ${at} ORDER BY target`)
    }),
    changed: changes.rings,
    cursor: Effect.fn("Chats.cursor")((bot: string) =>
      cursors.first(sql`SELECT last_update AS "update", at FROM chat_cursors WHERE bot = ${bot}`)
    ),
    advance: Effect.fn("Chats.advance")((bot: string, { at, update }: Cursor) =>
      orDie(
        Effect.asVoid(sql`INSERT INTO chat_cursors (bot, last_update, at) VALUES (${bot}, ${update}, ${at})
          ON CONFLICT (bot) DO UPDATE SET last_update = excluded.last_update, at = excluded.at`)
      )
    )
  })
})

export const layer = Layer.scoped(Chats, make)
