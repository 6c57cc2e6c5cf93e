import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Exit, Layer, TestClock } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { Appended, Journal, MAX_UNWRITTEN } from "../../src/services/Journal.ts"
import * as Accounts from "../../src/sql/Accounts.ts"
import * as SqliteJournal from "../../src/sqlite/Journal.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { draft, instruction } from "../../src/testing/Fixtures.ts"
import { it, layer } from "../lib/effect.ts"
import { fillUp, folder, makeRoom, onFile, onTemporaryFile, sender } from "../services/ports.ts"

const tests = layer(onTemporaryFile)
const together = { concurrency: "unbounded" } as const

const scene = Effect.gen(function* () {
  return { alice: yield* sender("alice"), journal: yield* Journal, sql: yield* SqlClient.SqlClient }
})

/** A journal on a file whose turns of the event loop the test hears of. */
const withTurns = (layered: ReturnType<typeof SqliteJournal.layerWith>) =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    const context = yield* Layer.build(
      Layer.merge(layered, Accounts.layer).pipe(Layer.provideMerge(Sqlite.layer({ filename })))
    )
    const alice = yield* Effect.provide(sender("alice"), context)
    return { alice, filename, journal: Context.get(context, Journal) }
  })

describe("commits of the journal", () => {
  it.live("are shared by a thousand simultaneous alerts, and a single alert has its own", () =>
    Effect.gen(function* () {
      let turns = 0
      const counted = SqliteJournal.layerWith((then) => {
        turns++
        setImmediate(then)
      })
      const { alice, journal } = yield* withTurns(counted)
      yield* journal.append(draft(alice))
      expect(turns).toBe(1)
      yield* Effect.all(
        Array.from({ length: 1_000 }, () => journal.append(draft(alice))),
        together
      )
      expect(turns).toBeLessThanOrEqual(5)
      expect((yield* journal.since(0, 2_000)).length).toBe(1_001)
    })
  )

  it.live("take along what comes in a few turns that follow, and wait no longer however much comes", () =>
    Effect.gen(function* () {
      const coming: Array<() => void> = []
      const layered = SqliteJournal.layerWith((then) => {
        coming.shift()?.()
        setImmediate(then)
      })
      const { alice, filename, journal } = yield* withTurns(layered)
      for (let count = 0; count < 10; count++) coming.push(() => journal.offer(draft(alice), () => {}))
      const stored = new Database(filename, { readonly: true }).query("SELECT count(*) AS count FROM alerts")
      yield* journal.append(draft(alice))
      expect(stored.get()).toEqual({ count: 5 })
    })
  )

  it.live("are visible to another connection when the append is answered", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const context = yield* Layer.build(onFile(filename))
      const alice = yield* Effect.provide(sender("alice"), context)
      const other = new Database(filename, { readonly: true })
      const row = other.query("SELECT repeats FROM alerts WHERE id = ?")
      const journal = Context.get(context, Journal)
      for (let count = 0; count < 20; count++) {
        const same = { key: `k${count}` }
        const { id } = yield* journal.append(draft(alice, { same }))
        expect(row.get(id)).toEqual({ repeats: 0 })
        yield* journal.append(draft(alice, { same }))
        expect(row.get(id)).toEqual({ repeats: 1 })
      }
    })
  )

  tests.effect("fail only for the bad row among others", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      const stranger = { ...alice, account: AccountId.make(99) }
      const drafts = [
        draft(alice),
        draft(stranger),
        draft(alice, { same: {} }),
        draft(stranger),
        draft(alice)
      ]
      const exits = yield* Effect.forEach(drafts, (one) => Effect.exit(journal.append(one)), together)
      expect(exits.map(Exit.isSuccess)).toEqual([true, false, true, false, true])
      expect(yield* journal.append(draft(alice, { same: {} }))).toMatchObject({ _tag: "Repeat" })
      const rows = yield* journal.since(0, 10)
      expect(rows.map(({ account }) => account)).toEqual([alice.account, alice.account, alice.account])
      expect(rows.map(({ repeats }) => repeats)).toEqual([0, 1, 0])
    })
  )

  tests.effect("wait in a queue of limited length", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      const appended = yield* Effect.all(
        Array.from({ length: MAX_UNWRITTEN + 3 }, () => Effect.either(journal.append(draft(alice)))),
        together
      )
      const refused = appended.flatMap((it) => (it._tag === "Left" ? [it.left] : []))
      expect(refused.length).toBe(3)
      for (const error of refused)
        expect(error).toMatchObject({ _tag: "JournalUnavailable", reason: "queue" })
      expect<number>((yield* journal.append(draft(alice))).id).toBe(MAX_UNWRITTEN + 1)
    })
  )
})

describe("a journal on a full disk", () => {
  tests.effect("refuses what it cannot keep, loses nothing that it answered, and recovers", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      yield* fillUp
      const ids: Array<number> = []
      let refused = 0
      for (let count = 0; count < 300; count++) {
        const answer = yield* Effect.either(
          journal.append(
            draft(alice, { same: { key: `k${count}` }, instruction: instruction({ coin: "LONGCOIN" }) })
          )
        )
        if (answer._tag === "Right") ids.push(answer.right.id)
        else {
          expect(answer.left).toMatchObject({ _tag: "JournalUnavailable", reason: "full" })
          refused++
        }
      }
      expect(refused).toBeGreaterThan(0)
      expect(yield* journal.writable).toBe(false)
      expect((yield* journal.list(alice.account, { limit: 1_000 })).map(({ id }): number => id)).toEqual(
        ids.toReversed()
      )
      yield* makeRoom
      expect(yield* journal.writable).toBe(true)
      // A key whose alert was refused is not remembered: its re-send is a new alert.
      const again = yield* journal.append(draft(alice, { same: { key: "k299" } }))
      expect(again._tag).toBe("Recorded")
      expect((yield* journal.since(0, 1_000)).map(({ id }): number => id)).toEqual([...ids, again.id])
    })
  )
})

describe("a journal after a restart", () => {
  it.live("continues with the same ids, rows and repeats", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const run = <A, E>(
        use: Effect.Effect<
          A,
          E,
          Journal | SqlClient.SqlClient | Layer.Layer.Success<typeof Sqlite.layerPorts>
        >
      ) => Effect.scoped(Effect.provide(use, onFile(filename)))
      const [alice, first] = yield* run(
        Effect.gen(function* () {
          const { alice, journal } = yield* scene
          const { id } = yield* journal.append(draft(alice, { same: { spanMs: 86_400_000 }, receivedAt: 10 }))
          yield* journal.append(draft(alice))
          return [alice, id] as const
        })
      )
      yield* run(
        Effect.gen(function* () {
          const journal = yield* Journal
          const sql = yield* SqlClient.SqlClient
          yield* journal.arrival
          expect((yield* journal.since(0, 10)).length).toBe(2)
          yield* sql`UPDATE alert_keys SET expires_at = 9007199254740991`
        })
      )
      yield* run(
        Effect.gen(function* () {
          const journal = yield* Journal
          const sql = yield* SqlClient.SqlClient
          const repeat = draft(alice, { same: {}, receivedAt: 20 })
          expect(yield* journal.append(repeat)).toEqual(Appended.Repeat({ id: first }))
          yield* sql`DELETE FROM alerts`
          expect<number>((yield* journal.append(draft(alice))).id).toBe(first + 2)
        })
      )
    })
  )

  it.live("has all queued alerts, because they are written before it closes and none is accepted later", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const journal = yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* Layer.build(onFile(filename))
          const alice = yield* Effect.provide(sender("alice"), context)
          const journal = Context.get(context, Journal)
          yield* Effect.forkDaemon(journal.append(draft(alice)))
          yield* Effect.yieldNow()
          return { alice, append: journal.append }
        })
      )
      const rows = new Database(filename).query("SELECT count(*) AS count FROM alerts").all()
      expect(rows).toEqual([{ count: 1 }])
      const late = yield* Effect.flip(journal.append(draft(journal.alice)))
      expect(late).toMatchObject({ _tag: "JournalUnavailable", reason: "closed" })
    })
  )
})

describe("idempotency keys of alerts", () => {
  tests.effect("are deleted some time after they expire", () =>
    Effect.gen(function* () {
      const { alice, journal, sql } = yield* scene
      const keys = Effect.map(sql`SELECT count(*) FROM alert_keys`.values, (rows) => rows[0]?.[0])
      yield* Effect.all(
        Array.from({ length: 2_500 }, (_, index) =>
          journal.append(draft(alice, { same: { key: `k${index}` } }))
        ),
        together
      )
      expect(yield* keys).toBe(2_500)
      yield* TestClock.adjust("2 minutes")
      const left: Array<unknown> = []
      for (let count = 0; count < 4; count++) {
        yield* journal.append(draft(alice))
        left.push(yield* keys)
      }
      expect(left).toEqual([1_500, 500, 0, 0])
    })
  )
})
