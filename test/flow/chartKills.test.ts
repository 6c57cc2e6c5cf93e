// A chart's message that waits for an earlier one survives an orderly stop and a kill, and is acted on once.
import { expect } from "bun:test"
import { Effect, TestClock } from "effect"
import { type ChartPosition, type Extras, instruction } from "../../src/domain/Alert.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import * as Disk from "../lib/disk.ts"
import * as Flow from "../lib/flow.ts"
import { onEach, type Storage } from "../lib/storages.ts"

const LONG: ChartPosition = { side: "long", size: 1 }
const SHORT: ChartPosition = { side: "short", size: 1 }
const FLAT: ChartPosition = { side: "flat" }

const SETTINGS = { taker_fee: 0, maker_fee: 0 }

const message = (user: Flow.User, type: "long" | "short" | "close_short", extras: Extras) =>
  Effect.flatMap(Alerts, (alerts) =>
    Effect.zipLeft(
      Effect.map(
        alerts.receive(
          user.identity,
          instruction({ signalId: user.signal, coin: "BTC", quoteCurrency: "USDT", type, ...extras }),
          {}
        ),
        ({ id }) => id
      ),
      Flow.caughtUp
    )
  )

const opened = (user: Flow.User) =>
  message(user, "long", { reverse: true, stated: { before: FLAT, after: LONG } })
const turned = (user: Flow.User) =>
  message(user, "short", { reverse: true, stated: { before: LONG, after: SHORT } })
const covered = (user: Flow.User) => message(user, "close_short", { stated: { before: SHORT, after: FLAT } })

/** The message of the second order comes before that of the first, and the server ends between them. */
const story = ({ place }: Storage, end: "stop" | "kill") =>
  Effect.gen(function* () {
    const { copy, db } = yield* place
    const { after, late, user } = yield* Disk.run(
      db,
      Effect.gen(function* () {
        const user = yield* Flow.ann(SETTINGS)
        yield* Flow.quote(100, { kind: "swap" })
        yield* opened(user)
        const late = yield* covered(user)
        expect(yield* Flow.waitingIds).toEqual([late])
        return { late, user, after: end === "stop" ? db : yield* copy }
      })
    )
    return yield* Disk.run(
      after,
      Effect.gen(function* () {
        yield* Flow.quote(100, { kind: "swap" })
        yield* Flow.caughtUp
        expect(yield* Flow.waitingIds).toEqual([late])
        const turn = yield* turned(user)
        yield* Flow.quote(100, { kind: "swap" })
        yield* Flow.caughtUp
        return {
          holds: yield* Flow.holds(user.strategy),
          waiting: yield* Flow.waitingIds,
          turn: yield* Flow.became(user.account, turn),
          late: yield* Flow.became(user.account, late)
        }
      })
    )
  })

const ENDED: Effect.Effect.Success<ReturnType<typeof story>> = {
  holds: [],
  waiting: [],
  turn: ["turned"],
  late: ["closed"]
}

onEach((storage) => {
  storage.effect("a message that waits survives an orderly stop", () =>
    Effect.map(story(storage, "stop"), (ended) => expect(ended).toEqual(ENDED))
  )

  storage.effect("a message that waits survives a kill", () =>
    Effect.map(story(storage, "kill"), (ended) => expect(ended).toEqual(ENDED))
  )

  storage.effect("after a restart a message waits no longer than it would have", () =>
    Effect.gen(function* () {
      const { db } = yield* storage.place
      const { late, user } = yield* Disk.run(
        db,
        Effect.gen(function* () {
          const user = yield* Flow.ann(SETTINGS)
          yield* Flow.quote(100, { kind: "swap" })
          yield* opened(user)
          return { user, late: yield* covered(user) }
        })
      )
      yield* TestClock.adjust("3 seconds")
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          yield* Flow.quote(100, { kind: "swap" })
          yield* TestClock.adjust("2 seconds")
          yield* Flow.caughtUp
          expect(yield* Flow.became(user.account, late)).toEqual(["no_position"])
          expect(yield* Flow.waitingIds).toEqual([])
        })
      )
    })
  )
})
