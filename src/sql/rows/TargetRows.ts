// The rows of notification targets: shown columns, and sealed channels.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { lazily } from "../../domain/internal/Lazily.ts"
import { Channel, Target } from "../../domain/Target.ts"
import type { Sealed, Vault } from "../../services/money/Vault.ts"
import * as Rows from "./Rows.ts"

/** The columns that may be shown: nothing secret. */
export const Row = Schema.Struct({
  ...Target.fields,
  kinds: Schema.parseJson(Target.fields.kinds),
  progress: Schema.parseJson(Target.fields.progress)
})
export const rows = Rows.reader(Row)
export const COLUMNS =
  'id, account, name, kind, shown AS "to", kinds, created_at AS "createdAt", revision, progress'

const Bytes = Schema.NullOr(Schema.Uint8ArrayFromSelf)
/** A whole row. `unsealed` is from an older program: it is cleared once it is sealed. */
export const Stored = Schema.Struct({
  ...Row.fields,
  key: Schema.NullOr(Schema.String),
  nonce: Bytes,
  text: Bytes,
  unsealed: Schema.OptionFromNullOr(Schema.parseJson(Channel))
})
export type Stored = typeof Stored.Type
export const stored = Rows.reader(Stored)
export const STORED = `${COLUMNS}, sealed_with AS key, nonce, sealed AS text, unsealed`

/** A row for offline checks of a database, with the owner's name. `key` is null where it is unsealed. */
export const SealedTarget = Schema.Struct({
  id: Target.fields.id,
  account: Target.fields.account,
  name: Schema.String,
  owner: Schema.String,
  key: Schema.NullOr(Schema.String),
  nonce: Bytes,
  text: Bytes
})
export type SealedTarget = typeof SealedTarget.Type
export const SEALED_TARGETS = `SELECT targets.id, account, targets.name, accounts.name AS owner, sealed_with AS key,
  nonce, sealed AS text
  FROM notification_targets AS targets JOIN accounts ON accounts.id = targets.account ORDER BY targets.id`

export const kindsText = lazily(() => Schema.encodeSync(Row.fields.kinds))
export const progressText = lazily(() => Schema.encodeSync(Row.fields.progress))
export const channelText = lazily(() => Schema.encodeSync(Schema.parseJson(Channel)))
export const toChannel = lazily(() => Schema.decodeOption(Schema.parseJson(Channel)))

/** The place that a channel is sealed to: moved to another row or owner, it does not open. */
export const placeOf = ({ account, id }: Pick<Target, "account" | "id">): string =>
  `notification_target:${account}:${id}`

export const sealedOf = ({ key, nonce, text }: Pick<Stored, "key" | "nonce" | "text">): Sealed | undefined =>
  key === null || nonce === null || text === null ? undefined : { key, nonce, text }

/** Seals a channel's text into an existing row. */
export const seal = Effect.fnUntraced(function* (
  vault: typeof Vault.Service,
  target: Pick<Target, "account" | "id">,
  channel: Redacted.Redacted
) {
  const sql = yield* SqlClient.SqlClient
  const { key, nonce, text } = yield* vault.seal(placeOf(target), channel)
  yield* sql`UPDATE notification_targets
    SET sealed_with = ${key}, nonce = ${nonce}, sealed = ${text}, unsealed = NULL WHERE id = ${target.id}`
})
