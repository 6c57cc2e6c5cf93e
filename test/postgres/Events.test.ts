// The adversary: transactions that draw their ids early and commit late, or are undone whole or in part, back ends that
// are killed, readers that go on from the newest position that they were given, and one that connects anew.
import { describe, expect } from "bun:test"
import { Context, Effect, Fiber, Option, Schedule } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import type { Position } from "../../src/domain/Event.ts"
import type { TimelineNote } from "../../src/domain/Timeline.ts"
import { Events } from "../../src/services/Events.ts"
import * as TimelineRows from "../../src/sql/rows/TimelineRows.ts"
import { it } from "../lib/effect.ts"
import { administrate, database, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

const together = { concurrency: "unbounded", discard: true } as const
const START: Position = { entry: 0, alert: 0 }
const ALICE = AccountId.make(1)
const WRITERS = 8
const ROUNDS = 60

const note = (text: string): TimelineNote => ({
  at: 1,
  rule: "opened",
  alertId: Option.none(),
  reason: Option.none(),
  text,
  facts: {}
})

type Process = Effect.Effect.Success<ReturnType<typeof process>>

/** A reader like that of notifications: it waits, reads a few, and goes on from there. */
const follower = ({ context }: Process) => {
  const events = Context.get(context, Events)
  const seen: Array<string> = []
  let position = START
  const read = Effect.gen(function* () {
    yield* events.arrival?.(position) ?? Effect.void
    const stretch = yield* events.after(ALICE, position, 7)
    seen.push(...stretch.events.map(({ event }) => event.text))
    position = stretch.position
  }).pipe(Effect.sandbox, Effect.retry(Schedule.spaced("20 millis")))
  return { seen, follow: Effect.forkScoped(Effect.forever(read)) }
}

const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sync(isSo), { until: (so) => so, schedule: Schedule.spaced("20 millis") }).pipe(
    Effect.timeout("20 seconds")
  )

/** Writes in many ways, each of which takes its own time: at once, late, undone in part, undone whole. */
const writer = ({ sql }: Process, number: number) => {
  const add = (text: string, account = 1) =>
    Effect.all(TimelineRows.insert(sql, [TimelineRows.row(account, 0, note(text))]))
  const round = Effect.fnUntraced(function* (count: number) {
    const name = `${number}-${count}`
    // Of two accounts at once, and everybody's.
    yield* add(`${name}-a`, count % 4 === 0 ? 0 : 1)
    yield* add(`${name}-other`, 2)
    if (count % 5 === 0)
      yield* Effect.ignore(sql.withTransaction(Effect.zipRight(add(`${name}-undone`), Effect.fail("x"))))
    yield* Effect.sleep((count * 7 + number * 3) % 23)
    yield* add(`${name}-b`)
    if (count % 7 === 0) return yield* Effect.fail("undone")
  })
  return Effect.forEach(
    Array.from({ length: ROUNDS }, (_, count) => count),
    (count) => Effect.ignore(count % 3 === 0 ? add(`${number}-${count}`) : sql.withTransaction(round(count)))
  )
}

const stored = ({ sql }: Process) =>
  Effect.map(
    sql<{ readonly text: string }>`SELECT text FROM timeline WHERE account IN (0, 1) ORDER BY id`,
    (rows) => rows.map(({ text }) => text)
  ).pipe(Effect.retry({ times: 3 }))

describe.skipIf(!isInstalled)("readers of events on Postgres", () => {
  it.live(
    "miss nothing and read nothing twice, while eight write, wait and roll back and back ends are killed",
    () =>
      Effect.gen(function* () {
        const { name, server, url } = yield* database()
        const [one, other] = yield* Effect.all([process(url), process(url)])
        const followers = [follower(one), follower(other)]
        for (const { follow } of followers) yield* follow
        const end = Effect.promise(() =>
          administrate(
            server,
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND random() < 0.2`
          )
        )
        const killing = yield* Effect.forkScoped(Effect.repeat(end, Schedule.spaced("300 millis")))
        yield* Effect.forEach(
          Array.from({ length: WRITERS }, (_, number) => number),
          (number) => writer(number % 2 === 0 ? one : other, number),
          together
        )
        yield* Fiber.interrupt(killing)
        const all = yield* stored(one)
        expect(all.length).toBeGreaterThan((WRITERS * ROUNDS) / 2)
        yield* until(() => followers.every(({ seen }) => seen.length >= all.length))
        // One that starts anew reads the same.
        const late = follower(yield* process(url))
        yield* late.follow
        yield* until(() => late.seen.length >= all.length)
        for (const { seen } of [...followers, late]) expect(seen).toEqual(all)
      }),
    60_000
  )

  it.live("wait for a writer that began earlier, and for no other", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, other] = yield* Effect.all([process(url), process(url)])
      const events = Context.get(other.context, Events)
      const texts = Effect.map(events.after(ALICE, START, 10), (stretch) =>
        stretch.events.map(({ event }) => event.text)
      )
      yield* events.announce(note("first"))
      const open = yield* Effect.makeSemaphore(0)
      const late = yield* Effect.fork(
        one.sql.withTransaction(
          Effect.zipRight(
            Effect.all(TimelineRows.insert(one.sql, [TimelineRows.row(1, 0, note("late"))])),
            open.take(1)
          )
        )
      )
      yield* Effect.sleep("100 millis")
      yield* events.announce(note("early"))
      expect(yield* texts).toEqual(["first"])
      // A reader from now on gets all that is not final yet, and no more.
      const { position } = yield* events.after(ALICE, yield* events.head, 10)
      yield* open.release(1)
      yield* Fiber.join(late)
      expect(yield* texts).toEqual(["first", "late", "early"])
      const rest = yield* events.after(ALICE, position, 10)
      expect(rest.events.map(({ event }) => event.text)).toEqual(["late", "early"])
      // What is read stays read while another begins.
      const began = yield* Effect.fork(
        one.sql.withTransaction(
          Effect.zipRight(
            Effect.all(TimelineRows.insert(one.sql, [TimelineRows.row(2, 0, note("never"))])),
            Effect.zipRight(Effect.sleep("100 millis"), Effect.fail("undone"))
          )
        )
      )
      yield* Effect.sleep("50 millis")
      expect(yield* events.after(ALICE, rest.position, 10)).toMatchObject({
        events: [],
        position: rest.position
      })
      yield* Fiber.await(began)
    })
  )

  it.live("are woken by what another process announces, and rest otherwise", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, other] = yield* Effect.all([process(url), process(url)])
      const events = Context.get(other.context, Events)
      const head = yield* events.head
      const waiting = yield* Effect.fork(events.arrival?.(head) ?? Effect.never)
      yield* Effect.sleep("600 millis")
      expect(yield* Fiber.poll(waiting)).toEqual(Option.none())
      yield* Context.get(one.context, Events).announce(note("for all"))
      yield* Fiber.join(waiting).pipe(Effect.timeout("2 seconds"))
      expect((yield* events.after(ALICE, head, 10)).events.map(({ event }) => event.text)).toEqual([
        "for all"
      ])
    })
  )
})
