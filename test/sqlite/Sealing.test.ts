// What older programs left unsealed in a database: nobody who copies the file is to find it there.
import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer, Logger, Option } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { beginning, TargetId } from "../../src/domain/Target.ts"
import { Vault } from "../../src/services/money/Vault.ts"
import { Targets } from "../../src/services/notify/Targets.ts"
import { UNSEALED } from "../../src/sql/rows/Versions.ts"
import * as Resealing from "../../src/sql/sealing/Resealing.ts"
import * as Migrations from "../../src/sqlite/Migrations.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as Verify from "../../src/sqlite/Verify.ts"
import * as MasterKey from "../../src/vault/MasterKey.ts"
import * as Keyed from "../../src/vault/Vault.ts"
import { it } from "../lib/effect.ts"
import { folder } from "../services/ports.ts"

/** The version before targets were sealed. */
const BEFORE = UNSEALED.below - 1
const ann = AccountId.make(1)
const HERE = { entry: 0, alert: 0 }

const channels = [
  { kind: "webhook", url: "https://hooks.example:8443/CANARY-path?key=CANARY-query", secret: "whsec_CANARY" },
  { kind: "telegram", token: "123:CANARY-token", chat: "-100" },
  { kind: "discord", url: "https://discord.example/CANARY-webhook" },
  { kind: "ntfy", url: "https://ntfy.example/CANARY-topic", token: "CANARY-access" }
] as const

/** A database as an older program left it: targets, one that is gone, and an answer that was kept for a repetition. */
const ofOld = (filename: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const progress = JSON.stringify(beginning(HERE))
    yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (1, 'ann', 0)`
    const insert = (channel: object) =>
      sql`INSERT INTO notification_targets (account, name, channel, kinds, created_at, revision, progress)
        VALUES (1, 'Phone', ${JSON.stringify(channel)}, '["closed"]', 7, 2, ${progress})`
    for (const channel of channels) yield* insert(channel)
    // Rows that grow and shrink leave copies of themselves in their pages; one that was removed leaves all of itself.
    for (let count = 0; count < 200; count++) {
      yield* insert({ kind: "discord", url: `https://gone.example/CANARY-gone-${count}-${"x".repeat(300)}` })
      yield* sql`UPDATE notification_targets SET progress = json_set(progress, '$.lastFailure', ${"y".repeat(count)})`
    }
    yield* sql`DELETE FROM notification_targets WHERE id > ${channels.length}`
    yield* sql`UPDATE notification_targets SET progress = ${progress}`
    yield* sql`INSERT INTO idempotency (account, key, request, status, location, body, expires_at)
      VALUES (1, 'k', 'r', 201, '/v1/notifications/1', '{"secret":"whsec_CANARY"}', 9000000000000),
        (1, 'other', 'r', 201, '/v1/signals/1', '{}', 9000000000000)`
  }).pipe(Effect.provide(Sqlite.layer({ filename, migrations: Migrations.upTo(BEFORE) })), Effect.scoped)

const old = Effect.gen(function* () {
  const home = yield* folder
  const filename = join(home, "signalbox.db")
  yield* ofOld(filename)
  return { home, filename }
})

/** Opens it as a server does, and gives what the log says. */
const served = <A, E>(
  filename: string,
  vault: Layer.Layer<Vault>,
  self: Effect.Effect<A, E, Targets | SqlClient.SqlClient>
) => {
  const said: Array<string> = []
  const logger = Logger.make(({ message }) => said.push(String(message)))
  const layer = Layer.provide(Sqlite.layerTargets, vault).pipe(
    Layer.provideMerge(Sqlite.layer({ filename })),
    Layer.provideMerge(Logger.replace(Logger.defaultLogger, logger))
  )
  return self.pipe(
    Effect.provide(layer),
    Effect.scoped,
    Effect.map((value) => ({ value, said }))
  )
}

const traces = (filename: string) =>
  ["", "-wal", "-shm"].flatMap((end) =>
    existsSync(filename + end) && readFileSync(filename + end).includes("CANARY")
      ? [`${end || "the file"}`]
      : []
  )

const sources = (home: string) => ({
  credentials: Option.none(),
  environment: Option.none(),
  folders: [join(home, "config")]
})
const machine = (home: string) => Layer.succeed(Vault, Keyed.of(sources(home)))
const opened = Effect.flatMap(Targets, (targets) =>
  Effect.forEach(channels, (_, index) => targets.unlock(TargetId.make(index + 1)))
)

describe("secrets of notifications that an older program stored", () => {
  it.live("are nowhere in the file, its log or its index once it is opened, and open as they were", () =>
    Effect.gen(function* () {
      const { filename, home } = yield* old
      expect(traces(filename)).toContain("the file")
      const during = Effect.gen(function* () {
        // While it is served, and not only once all is closed.
        const found = traces(filename)
        const list = yield* Effect.flatMap(Targets, (targets) => targets.list(ann))
        return { found, list, channels: yield* opened }
      })
      const { said, value } = yield* served(filename, machine(home), during)
      expect(value.found).toEqual([])
      expect(value.channels).toEqual([...channels])
      expect(
        value.list.map(({ createdAt, kind, kinds, name, revision, to }) => [
          name,
          kind,
          to,
          kinds,
          createdAt,
          revision
        ])
      ).toEqual([
        ["Phone", "webhook", "https://hooks.example:8443/...", ["closed"], 7, 2],
        ["Phone", "telegram", "chat -100", ["closed"], 7, 2],
        ["Phone", "discord", "https://discord.example/...", ["closed"], 7, 2],
        ["Phone", "ntfy", "https://ntfy.example/...", ["closed"], 7, 2]
      ])
      expect(traces(filename)).toEqual([])
      // Whoever looks after the server learns of the key, and of the copy that was kept.
      const words = said.join("\n")
      expect(words).toMatch(
        /4 notifications are sealed with a new master key [0-9a-f]{8} \(file \S+master\.key\)/
      )
      const [kept = ""] = readdirSync(home).filter((name) => name.includes(".before-"))
      expect(words).toContain(`${join(home, kept)} holds them unsealed`)
      expect(words).not.toContain("CANARY")
      expect(statSync(join(home, "config", "master.key")).mode & 0o777).toBe(0o600)
      expect((yield* Verify.verify(filename)).faults).toEqual([])
      // The next start has nothing to do, and opens them with the same key.
      const again = yield* served(filename, machine(home), opened)
      expect([again.value, again.said]).toEqual([[...channels], []])
    })
  )

  it.live("are absent from stored responses, and their ids are never reused", () =>
    Effect.gen(function* () {
      const { filename, home } = yield* old
      const { value } = yield* served(
        filename,
        machine(home),
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const keys = yield* sql`SELECT key FROM idempotency`.values
          const draft = { name: "New", channel: channels[1], kinds: ["closed"] as const }
          const { id } = yield* (yield* Targets).create(ann, draft, HERE)
          return { keys, id }
        })
      )
      expect(value).toEqual({ keys: [["other"]], id: TargetId.make(channels.length + 201) })
      expect(traces(filename)).toEqual([])
    })
  )

  it.live("stay as they are if there can be no key, and the server reports that at each start", () =>
    Effect.gen(function* () {
      const { filename, home } = yield* old
      const nowhere = Layer.succeed(Vault, Keyed.of({ ...sources(home), folders: [] }))
      for (let start = 0; start < 2; start++) {
        const { said, value } = yield* served(filename, nowhere, opened)
        expect(value).toEqual([...channels])
        expect(said.join("\n")).toContain(
          "stay in the database unsealed: there is no folder for a master key here"
        )
      }
      expect((yield* Verify.verify(filename)).faults).toEqual([])
      // Once there can be one, it is made up for.
      expect((yield* served(filename, machine(home), opened)).value).toEqual([...channels])
      expect(traces(filename)).toEqual([])
    })
  )

  it.live(
    "are cleared from old pages by the next start if one was interrupted between sealing and clearing",
    () =>
      Effect.gen(function* () {
        const { filename, home } = yield* old
        // Somebody reads: the log cannot be emptied into the file.
        const reader = new Database(filename)
        reader.run("BEGIN")
        reader.query("SELECT count(*) FROM accounts").get()
        const first = yield* served(filename, machine(home), opened)
        expect(first.value).toEqual([...channels])
        expect(first.said.join("\n")).toContain("the next start tries again")
        reader.run("COMMIT")
        reader.close()
        yield* served(filename, machine(home), opened)
        expect(traces(filename)).toEqual([])
      })
  )

  it.live("are sealed with a key in the next folder if the first is not writable", () =>
    Effect.gen(function* () {
      const { filename, home } = yield* old
      mkdirSync(join(home, "own"))
      // As a service's configuration folder is read-only: nobody makes a folder in a file.
      const folders = [join(filename, "config"), join(home, "own")]
      const vault = Layer.succeed(Vault, Keyed.of({ ...sources(home), folders }))
      expect((yield* served(filename, vault, opened)).value).toEqual([...channels])
      expect(existsSync(join(home, "own", "master.key"))).toBe(true)
    })
  )
})

describe("secrets of notifications", () => {
  const given = Effect.gen(function* () {
    const key = yield* MasterKey.draw
    return { id: key.id, layer: Layer.succeed(Vault, Keyed.make(Effect.succeed(key))) }
  })
  const added = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (1, 'ann', 0)`
    const targets = yield* Targets
    return yield* Effect.forEach(channels, (channel) =>
      targets.create(ann, { name: "Phone", channel, kinds: ["closed"] }, HERE)
    )
  })

  it.live("of a new database are never in its file", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const { layer } = yield* given
      const { value } = yield* served(
        filename,
        layer,
        Effect.map(added, () => traces(filename))
      )
      expect(value).toEqual([])
      expect(traces(filename)).toEqual([])
      expect((yield* Verify.verify(filename)).faults).toEqual([])
    })
  )

  it.live("do not open with another key, which harms nothing else", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const [mine, other] = [yield* given, yield* given]
      yield* served(filename, mine.layer, added)
      const { said, value } = yield* served(
        filename,
        other.layer,
        Effect.gen(function* () {
          const targets = yield* Targets
          const locked = yield* Effect.flip(targets.unlock(TargetId.make(1)))
          const refused = yield* Effect.flip(
            targets.create(ann, { name: "New", channel: channels[0], kinds: ["closed"] }, HERE)
          )
          yield* targets.remove(ann, 2)
          return { locked, refused, list: (yield* targets.list(ann)).length }
        })
      )
      expect(value.locked.message).toContain(
        `sealed with master key ${mine.id}, and the one here is ${other.id}`
      )
      expect(value.refused.message).toContain(`this database is sealed with master key ${mine.id}`)
      expect([value.list, said]).toEqual([channels.length - 1, []])
    })
  )

  it.live("do not open after they were moved to another row or owner", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const { layer } = yield* given
      const { value } = yield* served(
        filename,
        layer,
        Effect.gen(function* () {
          yield* added
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE notification_targets SET (nonce, sealed) =
            (SELECT nonce, sealed FROM notification_targets WHERE id = 1) WHERE id = 2`
          return yield* Effect.flip(Effect.flatMap(Targets, ({ unlock }) => unlock(TargetId.make(2))))
        })
      )
      expect(value.message).toContain("does not open here")
    })
  )

  it.live("are resealed with exchange accounts when the master key changes", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const [mine, next] = [yield* given, yield* given]
      const keyed = (layer: Layer.Layer<Vault>) => Effect.provide(Vault, layer)
      const [from, to] = [yield* keyed(mine.layer), yield* keyed(next.layer)]
      const { value } = yield* served(
        filename,
        mine.layer,
        Effect.gen(function* () {
          yield* added
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE notification_targets SET sealed = x'00' WHERE id = 4`
          return yield* Resealing.reseal(from, { id: next.id, vault: to })
        })
      )
      expect(value).toEqual({ accounts: 0, notifications: 3, left: { accounts: [], notifications: [4] } })
      const { value: channel } = yield* served(
        filename,
        next.layer,
        Effect.flatMap(Targets, ({ unlock }) => unlock(TargetId.make(1)))
      )
      expect(channel).toEqual(channels[0])
    })
  )
})
