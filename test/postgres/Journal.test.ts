// The adversary: other processes that append at the same time, connections that die at any moment, answers that get
// lost, transactions that commit late or are undone, and a server that tells nobody of anything.
import { describe, expect } from "bun:test"
import type * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Option, Redacted, Schedule } from "effect"
import { Client } from "pg"
import { AccountId } from "../../src/domain/Account.ts"
import { ALERTS } from "../../src/postgres/migrations/first/journal.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { type Journal, slotOf } from "../../src/services/Journal.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import { draft } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import { administrate, database, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

const together = { concurrency: "unbounded" } as const

/** A reader like an engine: woken by the bell, it keeps every id in the sequence in which it saw them. */
const follower = (journal: typeof Journal.Service) => {
  const seen: Array<number> = []
  const read = Effect.gen(function* () {
    yield* journal.arrival
    const rows = yield* journal.since(seen.at(-1) ?? 0, 50)
    seen.push(...rows.map(({ id }) => id))
  }).pipe(
    // As the engine does: what cannot be read now is read later.
    Effect.sandbox,
    Effect.retry(Schedule.spaced("20 millis"))
  )
  return { seen, follow: Effect.forkScoped(Effect.forever(read)) }
}

const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sync(isSo), { until: (so) => so, schedule: Schedule.spaced("20 millis") }).pipe(
    Effect.timeout("30 seconds")
  )

/** Makes the database that of a cluster, in which an append notifies the other processes. */
const node = (sql: SqlClient.SqlClient) =>
  sql`INSERT INTO nodes (address, node, runner, version, healthy, seen)
    VALUES ('127.0.0.1:1', 'one', 'one', '1.0.0', true, clock_timestamp())`

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe.skipIf(!isInstalled)("the journal of several processes", () => {
  it.live(
    "has no hole and no repetition for any reader, while eight write, wait and roll back and connections die",
    () =>
      Effect.gen(function* () {
        const { name, server, url } = yield* database()
        const processes = yield* Effect.all(Array.from({ length: 4 }, () => process(url)))
        const [first] = processes
        if (first === undefined) return
        yield* node(first.sql)
        const alice = yield* Effect.provide(sender("alice"), first.context)
        const followers = processes.map(({ journal }) => follower(journal))
        for (const { follow } of followers) yield* follow
        const end = Effect.promise(() =>
          administrate(
            server,
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND random() < 0.3`
          )
        )
        yield* Effect.forkScoped(Effect.repeat(end, Schedule.spaced("300 millis")))
        const late = Effect.forEach(
          processes,
          ({ sql }) =>
            // Holds the lock of the journal, and is undone.
            sql
              .withTransaction(
                sql`SELECT last FROM journal FOR UPDATE`.pipe(
                  Effect.zipRight(sql`UPDATE journal SET last = last + 5`),
                  Effect.zipRight(Effect.sleep("30 millis")),
                  Effect.zipRight(Effect.fail("undone"))
                )
              )
              .pipe(Effect.ignore),
          { ...together, discard: true }
        )
        yield* Effect.forkScoped(Effect.repeat(late, Schedule.spaced("150 millis")))
        const write = ({ journal }: (typeof processes)[number], writer: number) =>
          Effect.forEach(upTo(60), (count) =>
            journal
              .append(draft(alice, { same: { key: `${writer}-${count}`, spanMs: 86_400_000 } }))
              // The alert is sent again where the answer was 503, as a charting platform does.
              .pipe(Effect.retry(Schedule.spaced("50 millis")), Effect.zipLeft(Effect.sleep(count % 7)))
          )
        const written = yield* Effect.all(
          [...processes, ...processes].map((one, writer) => write(one, writer)),
          together
        )
        const ids = new Set(written.flat().map(({ id }) => id))
        expect(ids.size).toBe(480)
        yield* until(() => followers.every(({ seen }) => seen.length >= 480))
        for (const { seen } of followers) expect(seen).toEqual(upTo(480))
      }),
    120_000
  )

  it.live(
    "records an alert that comes to all of them in one moment once, and counts the others as its repeats",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const processes = yield* Effect.all(Array.from({ length: 3 }, () => process(url)))
        const [first] = processes
        if (first === undefined) return
        const alice = yield* Effect.provide(sender("alice"), first.context)
        for (const count of upTo(20)) {
          const same = { key: `k${count}`, spanMs: 86_400_000 }
          const appended = yield* Effect.all(
            processes.map(({ journal }) => journal.append(draft(alice, { same }))),
            together
          )
          expect(appended.map(({ _tag }) => _tag).sort()).toEqual(["Recorded", "Repeat", "Repeat"])
          expect(new Set(appended.map(({ id }) => id)).size).toBe(1)
          const [id] = appended.map((it) => it.id)
          expect(yield* first.journal.get(alice.account, id ?? 0)).toMatchObject({ repeats: 2 })
        }
      })
  )

  it.live(
    "records one of an alert from outside and of alerts that would stand in for it, when all come to different processes in one moment",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const processes = yield* Effect.all(Array.from({ length: 3 }, () => process(url)))
        const [first] = processes
        if (first === undefined) return
        const alice = yield* Effect.provide(sender("alice"), first.context)
        const slot = slotOf(draft(alice).instruction)
        const winners: Array<string> = []
        for (const count of upTo(30)) {
          const close = count * 3_600_000
          const now = close + 90_000
          const outside = draft(alice, { receivedAt: now, witness: { role: "outside", slot } })
          const standIn = draft(alice, {
            receivedAt: close,
            witness: { role: "stand_in", slot, since: close, now },
            same: { key: `rule ${count}`, spanMs: 86_400_000 }
          })
          const appended = yield* Effect.all(
            // Two processes stand in: one of them is frozen, and has not heard of the other.
            processes.map(({ journal }, index) => {
              const isOutside = (index + count) % 3 === 0
              // Whoever was late once knows less, and tends to be late again: now and then one side waits for the other.
              const waits = count % 4 === (isOutside ? 0 : 1)
              return Effect.delay(journal.append(isOutside ? outside : standIn), waits ? "20 millis" : 0)
            }),
            together
          )
          expect(appended.map(({ _tag }) => _tag).sort()).toEqual(["Recorded", "Repeat", "Repeat"])
          expect(new Set(appended.map(({ id }) => id)).size).toBe(1)
          const [stored] = yield* first.journal.among(appended.map(({ id }) => id))
          winners.push(stored?.receivedAt === now ? "outside" : "stand_in")
        }
        // Either may be first: a test in which one always is tries half of it.
        expect(new Set(winners).size).toBe(2)
      }),
    60_000
  )

  it.live("stores a batch once, although its answer was lost and it is sent again", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const { context, journal, sql } = yield* process(url)
      const alice = yield* Effect.provide(sender("alice"), context)
      yield* journal.append(draft(alice))
      const [before] = yield* sql`SELECT node, batch, before FROM journal_writers`
      // The same batch with the same number, as after a lost answer: nothing is added, and the same id comes back.
      const [again] = yield* sql.unsafe(
        `SELECT signalbox_append($1, $2, 0, '{1}', '{1}', '{1}', '{BTC}', '{USDT}', '{buy}', '{NULL}', '{NULL}', '{1}',
          '{[]}', '{NULL}', '{NULL}', '{NULL}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}') AS before`,
        [before?.["node"], before?.["batch"]]
      )
      expect(again).toEqual({ before: 0 })
      expect(yield* sql`SELECT count(*) AS count FROM alerts`).toEqual([{ count: 1 }])
    })
  )

  it.live(
    "stores nothing of a batch that was planned by keys out of date, and the same batch planned anew",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const { context, journal, sql } = yield* process(url)
        const alice = yield* Effect.provide(sender("alice"), context)
        yield* journal.append(draft(alice, { same: { key: "mine", spanMs: 60_000 } }))
        const append = (number: number, seen: string) =>
          Effect.map(
            sql.unsafe<{
              readonly before: number
            }>(`SELECT signalbox_append('w', ${number}, 1, '{1}', '{1}', '{1}', '{BTC}', '{USDT}', '{buy}', '{NULL}', '{NULL}', '{1}',
            '{[]}', '{NULL}', '{NULL}', '{NULL}', '{}', '{}', '{}', '{}', '{}', ${seen}, '{}', '{}') AS before`),
            ([row]) => row?.before
          )
        const outdated = "'{1}', '{mine}', '{NULL}', '{NULL}'"
        const [key] = yield* sql`SELECT body FROM alert_keys`
        const known = `'{1}', '{mine}', '{1}', ARRAY['${key?.["body"]}']`
        const heads = sql`SELECT last, (SELECT count(*) FROM alerts) AS alerts FROM journal`
        expect(yield* append(1, outdated)).toBe(-1)
        expect(yield* append(1, outdated)).toBe(-1)
        expect(yield* heads).toEqual([{ last: 1, alerts: 1 }])
        expect(yield* append(1, known)).toBe(1)
        expect(yield* append(2, outdated)).toBe(-1)
        // What was stored is not stored again, whatever is remembered by now.
        expect(yield* append(1, outdated)).not.toBe(-1)
        expect(yield* append(2, known)).toBe(2)
        expect(yield* append(2, known)).toBe(2)
        expect(yield* heads).toEqual([{ last: 3, alerts: 3 }])
      })
  )

  it.live("answers a batch that is on disk while the next one waits for another process", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [own, other] = yield* Effect.all([process(url), process(url)])
      const alice = yield* Effect.provide(sender("alice"), own.context)
      const holding = (release: Effect.Latch, held: () => void) =>
        other.sql`SELECT last FROM journal FOR UPDATE`.pipe(
          Effect.tap(() => Effect.sync(held)),
          Effect.zipRight(release.await),
          other.sql.withTransaction,
          Effect.forkScoped
        )
      const waiting = (count: number) =>
        Effect.repeat(
          Effect.map(
            other.sql`SELECT count(*) AS count FROM pg_stat_activity
              WHERE wait_event_type = 'Lock' AND datname = current_database()`,
            ([row]) => row?.["count"]
          ),
          { until: (found) => found === count, schedule: Schedule.spaced("10 millis") }
        )
      const answered: Array<string> = []
      const [first, second] = yield* Effect.all([Effect.makeLatch(), Effect.makeLatch()])
      let holds = 0
      yield* holding(first, () => holds++)
      yield* until(() => holds === 1)
      own.journal.offer(draft(alice), () => answered.push("first"))
      yield* waiting(1)
      yield* holding(second, () => holds++)
      yield* waiting(2)
      own.journal.offer(draft(alice), () => answered.push("second"))
      yield* first.open
      yield* until(() => holds === 2)
      yield* until(() => answered.length > 0)
      yield* waiting(1)
      expect(answered).toEqual(["first"])
      yield* second.open
      yield* until(() => answered.length > 1)
      expect(answered).toEqual(["first", "second"])
    })
  )

  it.live("wakes its readers by asking where nobody is told", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, other] = yield* Effect.all([process(url), process(url)])
      yield* node(one.sql)
      const alice = yield* Effect.provide(sender("alice"), one.context)
      const reader = follower(other.journal)
      yield* reader.follow
      yield* one.sql.unsafe("ALTER FUNCTION signalbox_append RENAME TO signalbox_append_and_tell")
      const [source] = yield* one.sql`SELECT pg_get_functiondef('signalbox_append_and_tell'::regproc) AS text`
      const silent = String(source?.["text"])
        .replace("signalbox_append_and_tell", "signalbox_append")
        .replace(/PERFORM pg_notify[^;]*;/, "")
      yield* one.sql.unsafe(silent)
      yield* one.journal.append(draft(alice))
      yield* until(() => reader.seen.length > 0)
      expect(reader.seen).toEqual([1])
    })
  )

  it.live(
    "notifies other processes of an append where the database has nodes, and nobody where it has none",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const { context, journal, sql } = yield* process(url)
        const alice = yield* Effect.provide(sender("alice"), context)
        const listener = new Client({ connectionString: Redacted.value(url) })
        yield* Effect.acquireRelease(
          Effect.promise(() => listener.connect()),
          () => Effect.promise(() => listener.end())
        )
        const heard: Array<string | undefined> = []
        listener.on("notification", ({ payload }) => heard.push(payload?.split(":")[0]))
        yield* Effect.promise(() => listener.query(`LISTEN ${ALERTS}`))
        yield* journal.append(draft(alice))
        yield* node(sql)
        yield* journal.append(draft(alice))
        yield* until(() => heard.length > 0)
        expect(heard).toEqual(["2"])
      })
  )

  it.live("is read again from any place, also beyond what its reader has heard of", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const { context, journal, sql } = yield* process(url)
      const alice = yield* Effect.provide(sender("alice"), context)
      yield* Effect.all([journal.append(draft(alice)), journal.append(draft(alice))], together)
      const other = yield* process(url)
      // The other process stores nothing, and nobody tells it.
      yield* sql`INSERT INTO alerts (id, account, token, signal_id, coin, quote, type, received_at)
        SELECT id + 2, account, token, signal_id, coin, quote, type, received_at FROM alerts`
      yield* sql`UPDATE journal SET last = 4`
      const since = (cursor: number) =>
        Effect.map(other.journal.since(cursor, 10), (rows) => rows.map(({ id }): number => id))
      expect(yield* since(0)).toEqual([1, 2, 3, 4])
      expect(yield* since(2)).toEqual([3, 4])
      expect(yield* since(3)).toEqual([4])
      expect(yield* since(4)).toEqual([])
    })
  )

  it.live("fails a row that cannot be stored alone, and stores the others", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const { context, journal } = yield* process(url)
      const alice = yield* Effect.provide(sender("alice"), context)
      const stranger = { ...alice, account: AccountId.make(99) }
      const exits = yield* Effect.forEach(
        [alice, stranger, alice],
        (who) => Effect.exit(journal.append(draft(who))),
        together
      )
      expect(exits.map(({ _tag }) => _tag)).toEqual(["Success", "Failure", "Success"])
      expect((yield* journal.since(0, 10)).map(({ id }): number => id)).toEqual([1, 2])
    })
  )

  it.live("heeds within a second what another process has revoked", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, other] = yield* Effect.all([process(url), process(url)])
      const { secret, id } = yield* Effect.provide(
        Effect.gen(function* () {
          const accounts = yield* Accounts
          const { secret, token } = yield* accounts.issue("alice", "full", Option.none())
          return { secret: Redacted.value(secret), id: token.id }
        }),
        one.context
      )
      const theirs = Context.get(other.context, Accounts)
      expect(yield* theirs.authenticate(secret)).toMatchObject({ _tag: "Some" })
      yield* Context.get(one.context, Accounts).revoke(id)
      yield* Effect.sleep("1 second")
      expect(yield* theirs.authenticate(secret)).toMatchObject({ _tag: "None" })
    })
  )
})
