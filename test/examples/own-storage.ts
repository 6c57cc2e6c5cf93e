// Storage of your own for one port: accounts and their tokens in a JSON file, of which only digests of the secrets are
// kept. It passes the very suite that ours pass, and then a server in memory stands on it.
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Accounts, Memory } from "signalbox"
import {
  AccountId,
  AccountNameRefused,
  isValid,
  Token,
  TokenId,
  TokenNotFound
} from "signalbox/domain/Account"
import { toWebHandler } from "signalbox/http"
import { drawSecret, isName } from "signalbox/services/Accounts"
import { AccountsContract, Contract } from "signalbox/testing"

/** The file: a token's account is known by its name, an account's id is its place among the names. */
const File = Schema.parseJson(
  Schema.Struct({
    names: Schema.Array(Schema.String),
    rows: Schema.Array(Schema.Struct({ digest: Schema.String, token: Token }))
  })
)

const layerFile = (file: string) =>
  Layer.sync(Accounts, () => {
    let { names, rows } = existsSync(file)
      ? Schema.decodeSync(File)(readFileSync(file, "utf8"))
      : { names: [], rows: [] }
    const save = () => writeFileSync(file, Schema.encodeSync(File)({ names, rows }), { mode: 0o600 })
    const change = (id: TokenId, changes: Partial<Token>) => {
      rows = rows.map((row) => (row.token.id === id ? { ...row, token: { ...row.token, ...changes } } : row))
      save()
    }
    const idOf = (name: string) => AccountId.make(names.indexOf(name) + 1)
    const recall = (secret: string, millis: number) => {
      const now = Math.floor(millis / 1000)
      const token = rows.find(({ digest }) => digest === digestOf(secret))?.token
      if (token === undefined || !isValid(token, now)) return undefined
      change(token.id, { lastUsedAt: Option.some(now - (now % 60)) })
      return { account: idOf(token.account), token: token.id, scope: token.scope }
    }
    return {
      issue: (account, scope, expiresAt, madeBy) =>
        Effect.gen(function* () {
          if (!isName(account)) return yield* new AccountNameRefused()
          const secret = drawSecret(scope)
          const createdAt = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          const unused = { lastUsedAt: Option.none(), revokedAt: Option.none() }
          const token = {
            ...{ id: TokenId.make(rows.length + 1), account, scope, createdAt, expiresAt, ...unused },
            madeBy: Option.fromNullable(madeBy)
          }
          names = names.includes(account) ? names : [...names, account]
          rows = [...rows, { digest: digestOf(secret), token }]
          save()
          return { token, secret: Redacted.make(secret) }
        }),
      authenticate: (secret) =>
        Effect.map(Clock.currentTimeMillis, (now) => Option.fromNullable(recall(secret, now))),
      recall,
      valid: (id) =>
        Effect.map(Clock.currentTimeMillis, (millis) =>
          Option.fromNullable(rows.find((row) => row.token.id === id)?.token).pipe(
            Option.filter((token) => isValid(token, Math.floor(millis / 1000)))
          )
        ),
      all: Effect.sync(() => names.map((name) => ({ id: idOf(name), name }))),
      tokens: Effect.sync(() => rows.map(({ token }) => token)),
      revoke: (id) =>
        Effect.gen(function* () {
          const token = rows.find((row) => row.token.id === id)?.token
          if (token === undefined) return yield* new TokenNotFound({ id })
          const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          change(token.id, { revokedAt: Option.orElseSome(token.revokedAt, () => now) })
        })
    }
  })

const digestOf = (secret: string) => createHash("sha256").update(secret).digest("base64url")

const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
try {
  const { cases } = AccountsContract.suite
  for (const [index, one] of cases.entries()) {
    await Contract.check(one, layerFile(join(folder, `${index}.json`)))
  }
  // A token of one run opens the server of the next.
  const file = join(folder, "accounts.json")
  const issued = Effect.flatMap(Accounts, (accounts) => accounts.issue("me", "full", Option.none()))
  const { secret } = await Effect.runPromise(Effect.provide(issued, layerFile(file)))
  const { dispose, handle } = toWebHandler(Memory.layerWith(layerFile(file)))
  const headers = { authorization: `Bearer ${Redacted.value(secret)}` }
  const { status } = await handle(new Request("http://localhost/v1/signals", { headers }))
  assert.equal(status, 200)
  await dispose()
  console.log(`${cases.length} of ${cases.length} promises of Accounts kept; a token outlives its server`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
