// Rules as witnesses of their webhooks: the webhook's alert comes in time, too late, never, in the very moment, or for
// something else; and the owner changes the rule meanwhile.
import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { RuleDocument } from "../../src/domain/signalRule/RuleDocument.ts"
import * as Memory from "../../src/Memory.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { Events } from "../../src/services/Events.ts"
import { Journal } from "../../src/services/Journal.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { Signals } from "../../src/services/Signals.ts"
import { rule as aRule } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"

type Services = Layer.Layer.Success<ReturnType<typeof Memory.layer>>

const NOON = Date.UTC(2026, 5, 1, 12)

/** A rule that fires at noon, and awaits its webhook for 90 seconds. */
const noon = (witness: "tell" | "stand_in", changes: Partial<RuleDocument> = {}) =>
  aRule({ witness, schedule: [{ type: "buy", cron: "0 12 * * *", timezone: "UTC" }], ...changes })

interface Stage {
  readonly ann: Flow.User
  /** Sets the clock to so many seconds after noon, and looks. */
  readonly at: (seconds: number) => Effect.Effect<void, never, RuleDesk>
  readonly journal: Effect.Effect<ReadonlyArray<string>, never, Journal>
  readonly events: Effect.Effect<ReadonlyArray<string>, never, Events>
}

const story = <E>(rule: RuleDocument, tell: (stage: Stage) => Effect.Effect<void, E, Services>) => {
  const clock = ReplayClock.make(0, 1)
  const set = (seconds: number) =>
    Effect.sync(() => clock.moveTo(NOON + seconds * 1_000, NOON + seconds * 1_000))
  const look = Effect.flatMap(RuleDesk, ({ schedules, sync, waits }) =>
    Effect.all([sync, schedules, waits], { discard: true })
  )
  const acted = Effect.gen(function* () {
    yield* set(-3600)
    const ann = yield* Flow.ann()
    yield* (yield* Signals).update(ann.account, ann.signal, { rule })
    yield* look
    const before = yield* (yield* Events).head
    yield* tell({
      ann,
      at: (seconds) => Effect.zipRight(set(seconds), look),
      journal: Effect.map(
        Effect.flatMap(Journal, ({ list }) => list(ann.account, { limit: 100 })),
        (alerts) =>
          alerts
            .map(
              ({ receivedAt, repeats, type, warnings }) =>
                `${(receivedAt - NOON) / 1_000} ${type} ${repeats} ${warnings.join()}`
            )
            .reverse()
      ),
      events: Effect.map(
        Effect.flatMap(Events, ({ after }) => after(ann.account, before, 100)),
        ({ events }) => events.flatMap(({ event }) => (event.rule === "rule_unwitnessed" ? [event.text] : []))
      )
    })
  })
  const server = Layer.fresh(Memory.layer()).pipe(Layer.provideMerge(Layer.setClock(clock)))
  return Effect.provide(acted, server)
}

const STOOD_IN = "raised by the signal's rule, since no such alert came from outside within 90 s"

describe("a rule that tells", () => {
  it.live("raises nothing, and tells its owner once where no alert came", () =>
    story(noon("tell"), ({ at, events, journal }) =>
      Effect.gen(function* () {
        yield* at(0)
        yield* at(89)
        expect(yield* events).toEqual([])
        yield* at(90)
        yield* at(91)
        expect(yield* events).toEqual([
          "The rule of signal 1 says buy BTC/USDT at 2026-06-01 12:00 UTC, and no such alert came within 90 s. Nothing was traded: look whether the chart's alert is still on."
        ])
        expect(yield* journal).toEqual([])
      })
    )
  )

  for (const seconds of [-29, 0, 3, 89])
    it.live(`tells nothing where the alert came ${seconds} s after its own time`, () =>
      story(noon("tell"), ({ ann, at, events }) =>
        Effect.gen(function* () {
          for (const now of [seconds, 0, 90].sort((one, other) => one - other)) {
            yield* at(now)
            if (now === seconds) yield* Flow.send(ann.identity, ann.signal, "buy")
          }
          yield* at(200)
          expect(yield* events).toEqual([])
        })
      )
    )

  it.live("is not satisfied by an earlier alert, another type, another pair or another signal", () =>
    story(noon("tell"), ({ ann, at, events }) =>
      Effect.gen(function* () {
        const bob = yield* Flow.user("bob")
        yield* at(-31)
        yield* Flow.send(ann.identity, ann.signal, "buy")
        yield* at(5)
        yield* Flow.send(ann.identity, ann.signal, "sell")
        yield* Flow.send(ann.identity, ann.signal, "buy", { pair: "ETH/USDT" })
        yield* Flow.send(bob.identity, bob.signal, "buy")
        yield* at(90)
        expect((yield* events).length).toBe(1)
      })
    )
  )
})

describe("a rule that stands in", () => {
  it.live(
    "raises the alert that did not come, with the time of its rule, and takes the late one as its repeat",
    () =>
      story(noon("stand_in"), ({ ann, at, events, journal }) =>
        Effect.gen(function* () {
          yield* at(0)
          expect(yield* journal).toEqual([])
          yield* at(90)
          yield* at(91)
          yield* Flow.send(ann.identity, ann.signal, "buy")
          expect(yield* journal).toEqual([`0 buy 1 ${STOOD_IN}`])
          yield* Flow.send(ann.identity, ann.signal, "buy")
          expect(yield* journal).toEqual([`0 buy 1 ${STOOD_IN}`, "91 buy 0 "])
          expect(yield* events).toEqual([])
        })
      )
  )

  it.live("raises nothing where the alert came, also twice, and each of these is an alert as ever", () =>
    story(noon("stand_in"), ({ ann, at, journal }) =>
      Effect.gen(function* () {
        yield* at(1)
        yield* Flow.send(ann.identity, ann.signal, "buy")
        yield* Flow.send(ann.identity, ann.signal, "buy")
        yield* at(300)
        expect(yield* journal).toEqual(["1 buy 0 ", "1 buy 0 "])
      })
    )
  )

  it.live("stands in for the one of two that did not come", () => {
    const both = noon("stand_in", {
      schedule: [
        { type: "buy", cron: "0 12 * * *", timezone: "UTC" },
        { type: "sell", cron: "0 12 * * *", timezone: "UTC" }
      ]
    })
    return story(both, ({ ann, at, journal }) =>
      Effect.gen(function* () {
        yield* at(1)
        yield* Flow.send(ann.identity, ann.signal, "sell")
        yield* at(90)
        expect(yield* journal).toEqual(["1 sell 0 ", `0 buy 0 ${STOOD_IN}`])
      })
    )
  })

  it.live("raises nothing for a rule that was changed or a signal that was switched off meanwhile", () =>
    story(noon("stand_in"), ({ ann, at, journal }) =>
      Effect.gen(function* () {
        yield* at(1)
        yield* (yield* Signals).update(ann.account, ann.signal, {
          rule: noon("stand_in", { timeframe: "4h" })
        })
        yield* at(200)
        expect(yield* journal).toEqual([])
      })
    )
  )

  it.live("is not fooled by a clock that is put back and forward", () =>
    story(noon("stand_in"), ({ ann, at, journal }) =>
      Effect.gen(function* () {
        for (const seconds of [0, 3600, -600, 0, 3600]) yield* at(seconds)
        yield* Flow.send(ann.identity, ann.signal, "buy")
        expect(yield* journal).toEqual([`0 buy 1 ${STOOD_IN}`])
      })
    )
  )

  it.live("leaves one alert where its own and the one from outside come in one moment", () =>
    story(noon("stand_in"), ({ ann, at, journal }) =>
      Effect.gen(function* () {
        yield* at(1)
        yield* Effect.all([at(90), Flow.send(ann.identity, ann.signal, "buy"), at(90)], {
          concurrency: "unbounded"
        })
        expect((yield* journal).length).toBe(1)
      })
    )
  )
})
