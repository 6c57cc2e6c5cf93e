// Rules by the clock: each time of a schedule raises one alert, whatever the clock, restarts and the owner do.
import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { RuleDocument } from "../../src/domain/signalRule/RuleDocument.ts"
import * as Memory from "../../src/Memory.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { Journal } from "../../src/services/Journal.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { Signals } from "../../src/services/Signals.ts"
import { rule as aRule } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"

const SCHEDULE: Partial<RuleDocument> = {
  schedule: [
    { type: "buy", cron: "30 2 * * *", timezone: "Europe/Berlin" },
    { type: "sell", cron: "0 12 * * 1", timezone: "UTC" }
  ]
}

/** A clock that is set by hand; sleeping takes real time. */
const hand = () => {
  const clock = ReplayClock.make(0, 1)
  return { clock, set: (time: string) => Effect.sync(() => clock.moveTo(Date.parse(time), Date.parse(time))) }
}

type Services = Layer.Layer.Success<ReturnType<typeof Memory.layer>>

/** Looks at all rules. */
const look = Effect.flatMap(RuleDesk, ({ schedules, sync }) => Effect.zipRight(sync, schedules))

/** The times and types of all alerts so far. */
const raised = (ann: Flow.User) =>
  Effect.map(
    Effect.flatMap(Journal, ({ list }) => list(ann.account, { limit: 1_000 })),
    (alerts) =>
      alerts
        .map(({ receivedAt, type }) => `${new Date(receivedAt).toISOString().slice(5, 16)} ${type}`)
        .reverse()
  )

const setRule = (ann: Flow.User, rule: RuleDocument | null, active = true) =>
  Effect.zipRight(
    Effect.flatMap(Signals, ({ update }) => update(ann.account, ann.signal, { rule, active })),
    look
  )

/** Runs a story of somebody with a rule, which begins at a time. */
const story = <E>(
  begins: string,
  tell: (
    ann: Flow.User,
    /** Sets the clock to each of these times, and looks. */
    at: (...times: ReadonlyArray<string>) => Effect.Effect<void, never, RuleDesk>
  ) => Effect.Effect<void, E, Services>,
  changes: Partial<RuleDocument> = SCHEDULE
) => {
  const { clock, set } = hand()
  return Effect.gen(function* () {
    const ann = yield* Flow.ann()
    yield* setRule(ann, aRule(changes))
    yield* tell(ann, (...times) =>
      Effect.forEach(times, (time) => Effect.zipRight(set(`2026-${time}Z`), look), { discard: true })
    )
  }).pipe(
    Effect.provide(Layer.fresh(Memory.layer()).pipe(Layer.provideMerge(Layer.setClock(clock)))),
    (all) => Effect.zipRight(set(`2026-${begins}Z`), all)
  )
}

describe("a schedule", () => {
  it.live("comes once on the days on which its time comes twice, or not at all", () =>
    story("03-28T00:00", (ann, at) =>
      Effect.gen(function* () {
        for (let hour = 1; hour < 72; hour++)
          yield* at(new Date(Date.UTC(2026, 2, 28, hour)).toISOString().slice(5, 16))
        expect(yield* raised(ann)).toEqual([
          "03-28T01:30 buy",
          "03-29T01:30 buy",
          "03-30T00:30 buy",
          "03-30T12:00 sell"
        ])
      })
    )
  )

  it.live("comes once in the hour that comes twice", () =>
    story("10-24T22:00", (ann, at) =>
      Effect.gen(function* () {
        yield* at("10-25T00:29:59", "10-25T00:30", "10-25T01:30", "10-26T01:29", "10-26T01:30", "10-26T12:00")
        expect(yield* raised(ann)).toEqual(["10-25T00:30 buy", "10-26T01:30 buy", "10-26T12:00 sell"])
      })
    )
  )

  it.live("raises each time once, though the clock is put back over it", () =>
    story("06-01T11:59", (ann, at) =>
      Effect.gen(function* () {
        yield* at("06-01T12:00:01", "06-01T11:59:30", "06-01T12:00", "06-01T12:05")
        expect(yield* raised(ann)).toEqual(["06-01T12:00 sell"])
      })
    )
  )

  it.live("raises nothing for the time before the rule, or while its signal is off", () =>
    story("06-01T12:00:30", (ann, at) =>
      Effect.gen(function* () {
        yield* at("06-01T13:00")
        expect(yield* raised(ann)).toEqual([])
        yield* setRule(ann, aRule(SCHEDULE), false)
        yield* at("06-02T12:00")
        yield* setRule(ann, aRule(SCHEDULE), true)
        yield* at("06-03T12:00")
        // Tuesday's time is missing.
        expect(yield* raised(ann)).toEqual(["06-03T00:30 buy"])
      })
    )
  )

  it.live("is not lost where its signal is renamed in the very second", () =>
    story("06-01T11:00", (ann, at) =>
      Effect.gen(function* () {
        yield* at("06-01T11:59:59")
        const { clock, set } = hand()
        yield* set("2026-06-01T12:00:00.100Z")
        yield* Effect.withClock(
          Effect.flatMap(Signals, ({ update }) => update(ann.account, ann.signal, { name: "Another" })),
          clock
        )
        yield* at("06-01T12:00:02")
        expect(yield* raised(ann)).toEqual(["06-01T12:00 sell"])
      })
    )
  )

  it.live("is raised late after an outage: the entry is stale, and the exit acts", () =>
    story(
      "06-01T11:00",
      (ann, at) =>
        Effect.gen(function* () {
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          expect((yield* Flow.tradesOf(ann.strategy)).length).toBe(0)
          yield* at("06-01T11:40")
          yield* Flow.quote(101)
          yield* Flow.caughtUp
          expect(yield* raised(ann)).toEqual(["06-01T11:00 buy", "06-01T11:10 buy", "06-01T11:20 sell"])
          const [, entry, exit] = (yield* (yield* Journal).list(ann.account, { limit: 10 })).toReversed()
          expect(yield* Flow.became(ann.account, entry?.id ?? 0)).toEqual(["stale"])
          expect(yield* Flow.became(ann.account, exit?.id ?? 0)).toEqual(["closed"])
        }),
      {
        schedule: [
          { type: "buy", cron: "10 * * * *", timezone: "UTC" },
          { type: "sell", cron: "20 * * * *", timezone: "UTC" }
        ]
      }
    )
  )

  it.live("gives the last hundred times of each line after a long outage", () =>
    story(
      "06-01T11:00",
      (ann, at) =>
        Effect.gen(function* () {
          yield* (yield* RuleDesk).schedules
          // The server is down meanwhile: a new version of the book begins where the old one looked last.
          yield* setRule(ann, null)
          yield* setRule(ann, aRule({ schedule: [{ type: "buy", cron: "* * * * *", timezone: "UTC" }] }))
          yield* at("06-08T12:00")
          const all = yield* raised(ann)
          expect([all.length <= 101, all.at(-1)]).toEqual([true, "06-08T12:00 buy"])
        }),
      { schedule: [{ type: "buy", cron: "* * * * *", timezone: "UTC" }] }
    )
  )
})
