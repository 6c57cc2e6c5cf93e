// `move` as people run it: what it prints, what it refuses, and a kill at any moment, after which it is run again.
import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import * as Books from "../lib/books.ts"
import { signalbox, signalboxWith, start } from "../lib/cli.ts"
import { it } from "../lib/effect.ts"
import { database, isInstalled, PASSWORD } from "../lib/postgres/Database.ts"
import { folder } from "../services/ports.ts"

const run = (...args: ReadonlyArray<string>) => Effect.promise(() => signalbox(...args))

/** Kills a move so long after its unfinished target is there (ms): there it is until all of it has been verified. */
const killed = (args: ReadonlyArray<string>, isBegun: () => Promise<boolean>, after: number) =>
  Effect.promise(async () => {
    const child = start("move", ...args)
    while (!(await isBegun()) && child.exitCode === null) await Bun.sleep(2)
    await Bun.sleep(after)
    child.kill("SIGKILL")
    await child.exited
  })

const connected = (address: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: address })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

it.live("two files, two databases and half an address are a wrong command line", () =>
  Effect.gen(function* () {
    const [files, both, half] = yield* Effect.all(
      [
        run("move", "--from", "a.db", "--to", "b.db"),
        run("move", "--from", "postgres://h/a", "--to", "postgres://h/b"),
        run("move", "--from", "a.db", "--to", "postgres://ann:pass@h")
      ],
      { concurrency: 3 }
    )
    const one =
      "signalbox: one of --from and --to is the path of a file, and the other an address of Postgres: postgres://user:password@host:5432/database, with / ? # @ % of a password as %2F %3F %23 %40 %25\n"
    expect([files, both].map(({ code, error, out }) => ({ code, error, out }))).toEqual([
      { code: 2, error: one, out: "" },
      { code: 2, error: one, out: "" }
    ])
    expect(half).toMatchObject({ code: 2, out: "" })
    expect(half?.error).toContain("--to is no address of Postgres")
    expect(half?.error).not.toContain("ann")
  })
)

describe.skipIf(!isInstalled)("a move by the command", () => {
  it.live("is told in plain words, and never with a password", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const [first, second] = [join(here, "first.db"), join(here, "second.db")]
      yield* Books.written(first)
      const { url } = yield* database("empty")
      const address = Redacted.value(url)
      const there = yield* run("move", "--from", first, "--to", address)
      expect(there).toMatchObject({ code: 0, error: "" })
      expect(there.out.split("\n")[0]).toMatch(
        /^\S+first\.db is moved to postgres:\/\/127\.0\.0\.1:\d+\/\S+ and verified: [\d,]+ rows of \d+ tables, each the same\.$/
      )
      expect(there.out).toMatch(
        /Start the server there: SIGNALBOX_DATABASE='postgres:\/\/\w+@127\.0\.0\.1\S+' signalbox serve/
      )
      const again = yield* run("move", "--from", first, "--to", address)
      expect(again.code).toBe(1)
      expect(again.error).toContain("it was moved to postgres://127.0.0.1")
      const token = yield* run("token", "list", "--db", first)
      expect(token).toMatchObject({ code: 1, out: "" })
      expect(token.error).toContain("it was moved to postgres://127.0.0.1")
      const back = yield* run("move", "--from", address, "--to", second, "--json")
      expect(back).toMatchObject({ code: 0, error: "" })
      const { head, tables, to } = JSON.parse(back.out)
      expect([to, tables.trades.rows]).toEqual([second, 25])
      expect(there.out).toContain(head)
      for (const { error, out } of [there, again, token, back]) expect(out + error).not.toContain(PASSWORD)
      const { url: other } = yield* database("empty")
      const third = join(here, "third.db")
      yield* Books.written(third)
      yield* run("move", "--from", third, "--to", Redacted.value(other))
      const onPostgres = yield* Effect.promise(() =>
        signalboxWith({ SIGNALBOX_DATABASE: Redacted.value(other) }, "verify", "--json")
      )
      expect(onPostgres).toMatchObject({ code: 0, error: "" })
      expect(JSON.parse(onPostgres.out)).toMatchObject({ sound: true, rows: { trades: 25 } })
      const verified = yield* run("verify", "--db", first, "--json")
      expect(JSON.parse(verified.out)).toMatchObject({ head, sound: true })
    })
  )

  it.live("that was killed is begun anew, and neither side can be used before it has ended", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const [first, second] = [join(here, "first.db"), join(here, "second.db")]
      yield* Books.written(first)
      const { url } = yield* database("empty")
      const address = Redacted.value(url)
      const target = yield* connected(address)
      const isBegunThere = () =>
        target.query("SELECT 1 FROM moves WHERE finished::int = 0").then(
          ({ rowCount }) => rowCount === 1,
          () => false
        )
      for (const after of [0, 300]) yield* killed(["--from", first, "--to", address], isBegunThere, after)
      const there = yield* run("move", "--from", first, "--to", address)
      expect(there.error).toBe("")
      const moving = join(here, ".second.db.moving")
      const isBegunHere = async () => existsSync(moving)
      for (const after of [0, 300]) yield* killed(["--from", address, "--to", second], isBegunHere, after)
      const back = yield* run("move", "--from", address, "--to", second, "--json")
      expect(back.error).toBe("")
      expect(there.out).toContain(JSON.parse(back.out).head)
      expect(existsSync(moving)).toBe(false)
      const file = new Database(second, { readonly: true })
      expect(file.query("SELECT role, finished FROM moves").all()).toEqual([{ role: "target", finished: 1 }])
      file.close()
    })
  )
})
