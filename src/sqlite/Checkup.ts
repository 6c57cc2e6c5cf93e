// A short look at a database for the doctor: read-only, whatever its version, and safe beside a running server.
import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Token } from "../domain/Account.ts"
import { lazily } from "../domain/internal/Lazily.ts"
import { codeOf, isBusyCode } from "../sql/client/SqlErrors.ts"
import { SEALED_ACCOUNTS, SealedAccount } from "../sql/ExchangeAccounts.ts"
import { ARMED } from "../sql/readers/ArmedStrategies.ts"
import { LAST, Restored } from "../sql/rows/RestoreRows.ts"
import { SEALED_TARGETS, SealedTarget } from "../sql/rows/TargetRows.ts"
import { tokensIn, UNSEALED } from "../sql/rows/Versions.ts"
import { lockOf } from "./client/Lock.ts"
import * as ReadOnly from "./client/ReadOnly.ts"
import * as Tradeable from "./readers/Tradeable.ts"
import * as CheckupWarnings from "./verify/CheckupWarnings.ts"

/** The findings of a quick check of a database. Times in ms. */
export interface Checkup {
  readonly version: number
  readonly journal: string
  /** The damage that SQLite finds in the file; undefined where it is intact. */
  readonly damage: string | undefined
  /** The latest time stored; 0 where there is none. */
  readonly newestAt: number
  readonly tokens: ReadonlyArray<Token>
  readonly restored: Restored | undefined
  /** Halts in force, with the account's name; null for everybody's. */
  readonly halts: ReadonlyArray<typeof Halted.Type>
  /** Strategies that trade with real money, or still hold positions in it. */
  readonly armed: ReadonlyArray<number>
  /** What decides whether strategies could buy now; undefined for a database of a much older version. */
  readonly tradeable: Tradeable.Facts | undefined
  readonly oddities: CheckupWarnings.CheckupWarnings
  /** Exchange accounts with their sealed keys. */
  readonly exchangeAccounts: ReadonlyArray<SealedAccount>
  /** Notification targets with their sealed secrets; an older program stored them unsealed. */
  readonly targets: ReadonlyArray<SealedTarget>
}

export const read = Effect.fn("Checkup.read")(function* (filename: string) {
  const { database, version } = yield* ReadOnly.open(filename)
  return yield* Effect.sync((): Checkup => {
    const damage = damageOf(database)
    const readable = damage === undefined
    return {
      version,
      journal: String(database.query("PRAGMA journal_mode").values()[0]?.[0]),
      damage,
      newestAt: readable ? ReadOnly.number(database, NEWEST) : 0,
      tokens: readable ? tokens(database.query(tokensOf(version)).all()) : [],
      restored: readable && version >= 2 ? restored(database.query(LAST).all())[0] : undefined,
      halts: readable && version >= 8 ? halts(database.query(HALTS).all()) : [],
      armed: readable && version >= 8 ? armed(database.query(ARMED).all()).map(({ id }) => id) : [],
      tradeable: readable && version >= Tradeable.SINCE ? Tradeable.read(database) : undefined,
      oddities: readable ? CheckupWarnings.find(database) : CheckupWarnings.NONE,
      exchangeAccounts: readable && version >= 8 ? sealedAccounts(database.query(SEALED_ACCOUNTS).all()) : [],
      targets:
        readable && version >= UNSEALED.below ? sealedTargets(database.query(SEALED_TARGETS).all()) : []
    }
  })
}, Effect.scoped)

const NEWEST = `SELECT max(at) FROM (
  SELECT max(created_at, coalesce(last_used_at, 0)) * 1000 AS at FROM tokens
  UNION ALL SELECT updated_at * 1000 FROM signals
  UNION ALL SELECT updated_at * 1000 FROM strategies
  UNION ALL SELECT * FROM (SELECT received_at FROM alerts ORDER BY id DESC LIMIT 1)
  UNION ALL SELECT * FROM (SELECT at FROM timeline ORDER BY id DESC LIMIT 1))`

const tokensOf = (version: number) => `${tokensIn(version)} WHERE revoked_at IS NULL ORDER BY tokens.id`
const tokens = lazily(() => Schema.decodeUnknownSync(Schema.Array(Token)))

const sealedTargets = lazily(() => Schema.decodeUnknownSync(Schema.Array(SealedTarget)))

/** Whether a file is a database of a version that stored notification secrets unsealed, and ever had any. */
export const holdsUnsealed = (filename: string): boolean => {
  let file: Database | undefined
  try {
    file = new Database(filename, { readonly: true })
    const version = ReadOnly.number(file, "PRAGMA user_version")
    if (version < UNSEALED.from || version >= UNSEALED.below) return false
    return (
      ReadOnly.number(file, "SELECT count(*) FROM sqlite_sequence WHERE name = 'notification_targets'") > 0
    )
  } catch {
    return false
  } finally {
    file?.close()
  }
}

const sealedAccounts = lazily(() => Schema.decodeUnknownSync(Schema.Array(SealedAccount)))

const restored = lazily(() => Schema.decodeUnknownSync(Schema.Array(Restored)))

/** A row of `HALTS`. */
export const Halted = Schema.Struct({
  account: Schema.NullOr(Schema.String),
  at: Schema.Int,
  text: Schema.String
})
/** The query for the halts in force. */
export const HALTS = `SELECT accounts.name AS account, at, text FROM halts
  LEFT JOIN accounts ON accounts.id = halts.account ORDER BY halts.account`
const halts = lazily(() => Schema.decodeUnknownSync(Schema.Array(Halted)))

const armed = lazily(() => Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ id: Schema.Int }))))

const damageOf = (database: Database): string | undefined => {
  try {
    const [row] = database.query("PRAGMA quick_check(1)").values()
    return row?.[0] === "ok" ? undefined : String(row?.[0]).replaceAll("\n", " ")
  } catch (cause) {
    return codeOf(cause)
  }
}

/** Whether a server uses the database now. Only reads the lock, so that no server is refused because of it. */
export const isServed = (filename: string): boolean => {
  const path = lockOf(filename)
  if (!existsSync(path)) return false
  let file: Database | undefined
  try {
    file = new Database(path, { readonly: true })
    file.query("SELECT count(*) FROM sqlite_schema").values()
    return false
  } catch (cause) {
    return isBusyCode(codeOf(cause))
  } finally {
    file?.close()
  }
}
