// The adversary: a server that asks for a password which is in no address, a file that others may read, and a password
// that changes while a server runs.
import { describe, expect } from "bun:test"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import * as Client from "../../src/postgres/client/Client.ts"
import { ChangeWatch } from "../../src/sql/client/ChangeWatch.ts"
import { it } from "../lib/effect.ts"
import { administrate, database, fresh, isInstalled } from "../lib/postgres/Database.ts"
import { folder } from "../services/ports.ts"

const FIRST = "pa:ss\\word"

/** A user of a database whom the server asks for a password, and the file that may hold it. */
const scene = Effect.gen(function* () {
  const { name, server, url } = yield* database()
  const run = (statement: string) => Effect.promise(() => administrate(server, statement))
  const role = fresh("locked")
  yield* run(`CREATE ROLE ${role} LOGIN PASSWORD '${FIRST}'`)
  const rules = join(server.folder, "data", "pg_hba.conf")
  writeFileSync(rules, `host ${name} ${role} 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, "utf8")}`)
  yield* run("SELECT pg_reload_conf()")
  const address = new URL(Redacted.value(url))
  address.username = role
  address.password = ""
  const file = join(yield* folder, "pgpass")
  const write = (...lines: ReadonlyArray<string>) => {
    writeFileSync(file, lines.join("\n"))
    chmodSync(file, 0o600)
  }
  const layer = Client.layer({ url: Redacted.make(address.href), node: fresh("node") }).pipe(
    Layer.provide(ChangeWatch.layer),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["PGPASSFILE", file]]))))
  )
  const connected = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT current_user AS who`).pipe(
    Effect.provide(layer),
    Effect.map(([row]) => row?.["who"]),
    Effect.catchAll((error) => Effect.succeed(String(error)))
  )
  const before = `127.0.0.1:${server.port}:${name}:${role}:`
  return { before, connected, file, name, role, run, write }
})

describe.skipIf(!isInstalled)("the file of passwords", () => {
  it.live("lets in by the first line that fits, and is read again by each connection", () =>
    Effect.gen(function* () {
      const { before, connected, name, role, run, write } = yield* scene
      write(
        `# ${before}commented`,
        `127.0.0.1:1:*:*:other port`,
        `*:*:${name}:${role}:pa\\:ss\\\\word`,
        "*:*:*:*:late"
      )
      expect(yield* connected).toBe(role)
      yield* run(`ALTER ROLE ${role} PASSWORD 'second'`)
      expect(yield* connected).toContain("password authentication failed")
      write(`${before}second`)
      expect(yield* connected).toBe(role)
    })
  )

  it.live("is not used while others may read it, and the error says what to do and no password", () =>
    Effect.gen(function* () {
      const { before, connected, file, write } = yield* scene
      expect(yield* connected).toContain("the server asks for a password: put it into the file")
      write(`${before}${FIRST}`)
      chmodSync(file, 0o640)
      const refused = yield* connected
      expect(refused).toContain(`chmod 600 ${file}`)
      expect(refused).not.toContain(FIRST)
    })
  )
})
