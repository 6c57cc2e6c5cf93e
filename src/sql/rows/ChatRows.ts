// Rows of chats that are paired with an account, and of the codes that pair them.
import * as Schema from "effect/Schema"
import { AccountId } from "../../domain/Account.ts"
import { Pairing } from "../../domain/notify/Chat.ts"
import { TargetId } from "../../domain/Target.ts"
import * as Rows from "./Rows.ts"

/** Reads pairings. */
export const pairings = Rows.reader(Pairing)
/** The columns of a pairing. */
export const PAIRING = `id, account, target, chat, "user", name, paired_at AS "pairedAt"`
export const PAIRINGS = `SELECT ${PAIRING} FROM chats`

/** Reads waiting codes. */
export const codes = Rows.reader(
  Schema.Struct({
    id: Schema.Int,
    account: AccountId,
    target: TargetId,
    digest: Schema.Uint8ArrayFromSelf,
    expiresAt: Schema.Int
  })
)
export const CODES = `SELECT id, account, target, hash AS digest, expires_at AS "expiresAt" FROM chat_codes`
