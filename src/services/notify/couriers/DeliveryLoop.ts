// Delivers one target's events in sequence, at least once: the position is stored after a delivery, failures pause
// longer and longer, and an event is given up after a day.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Random from "effect/Random"
import type { Placed, Position } from "../../../domain/Event.ts"
import type { Progress, Target } from "../../../domain/Target.ts"
import { Events } from "../../Events.ts"
import { toTheEnd } from "../../internal/ToTheEnd.ts"
import { Targets } from "../Targets.ts"
import { deliverTo, type Failed } from "./Delivery.ts"
import * as Message from "./Message.ts"

/** How long an event is retried for a target that does not answer (ms). */
export const GIVE_UP_MS = 86_400_000
const FIRST_PAUSE_MS = 5_000
const MOST_PAUSE_MS = 3_600_000
/** How soon new events are seen at the latest, and the pause between two looks (ms). */
const LOOK_MS = 250
/** The pause between messages to a chat, which takes about one a second (ms). */
const CHAT_PAUSE_MS = 1_000
/** A target that takes longer than this (ms) shares the slots of failing ones until it is quick again. */
const SLOW_MS = 2_000
/** Events read at a time; deliveries after which the position is stored; unwanted events after which it is. */
const READ = 200
const SAVE_EVERY = 16
const MOST_UNSAVED = 2_000

export interface Post {
  readonly telegramUrl: string
  /** Bounds concurrent deliveries: failing or slow targets wait only for each other. */
  readonly inTurn: (isAside: boolean) => <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Delivers events to one target until it is disabled. */
export const serve = Effect.fn("notify.serve")(function* (target: Target, post: Post) {
  const events = yield* Events
  const targets = yield* Targets
  const wanted = new Set(target.kinds)
  let progress = target.progress
  let saved = progress

  const save = Effect.suspend(() => {
    const now = progress
    return now === saved
      ? Effect.void
      : Effect.map(targets.save(target, now), () => {
          saved = now
        })
  })
  const moved = (position: Position) => {
    progress = { ...progress, position }
  }

  let isSlow = false
  const send = (some: ReadonlyArray<Placed>) =>
    deliverTo(
      target,
      some.map(({ event }) => event),
      post.telegramUrl
    ).pipe(
      Effect.either,
      Effect.timed,
      post.inTurn(progress.failures > 0 || isSlow),
      Effect.map(([took, result]) => {
        isSlow = Duration.toMillis(took) > SLOW_MS
        return result
      })
    )

  /** Sends some events together, and notes that they were delivered. */
  const deliver = Effect.fnUntraced(function* (some: ReadonlyArray<Placed>) {
    const sent = yield* send(some)
    const now = yield* Clock.currentTimeMillis
    if (Either.isRight(sent)) {
      const delivered = progress.delivered + some.length
      progress = { ...progress, ...WELL, delivered, lastSuccessAt: now }
      moved(some.at(-1)?.position ?? progress.position)
    }
    return sent
  })

  /** Sends what is due, until all is sent or a delivery fails. */
  const sendAll = Effect.fnUntraced(function* (due: ReadonlyArray<Placed>) {
    let left = due
    let since = 0
    while (left.length > 0) {
      const count = Message.together(
        target.kind,
        left.map(({ event }) => event)
      )
      // One that nobody knows of is sent again, by whoever delivers next.
      const sent = yield* toTheEnd(deliver(left.slice(0, count)))
      if (Either.isLeft(sent)) return yield* sent.left
      left = left.slice(count)
      since += count
      if (since >= SAVE_EVERY || target.kind !== "webhook") {
        since = 0
        yield* save
      }
      if (target.kind !== "webhook") yield* Effect.sleep(CHAT_PAUSE_MS)
    }
  })

  /** Records a failure, and gives up events that are too old. */
  const failed = Effect.fnUntraced(function* ({ gone, reason, retryAfterSeconds }: Failed) {
    const now = yield* Clock.currentTimeMillis
    const failures = progress.failures + 1
    const pause = Math.max(yield* pauseAfter(failures), Math.min(retryAfterSeconds * 1000, MOST_PAUSE_MS))
    const disabled = gone ? reason : ""
    const failure = {
      failures,
      nextAt: now + Math.round(pause),
      lastFailureAt: now,
      lastFailure: reason,
      disabled
    }
    progress = { ...progress, ...failure }
    yield* Effect.logWarning(
      `notification ${target.id} of account ${target.account} was not delivered: ${reason}`
    )
    for (let more = !gone; more; ) {
      const { events: found, full, position } = yield* events.after(target.account, progress.position, READ)
      const young = found.findIndex(({ event }) => wanted.has(event.kind) && now - event.at < GIVE_UP_MS)
      const old = young < 0 ? found : found.slice(0, young)
      const givenUp = progress.givenUp + old.filter(({ event }) => wanted.has(event.kind)).length
      progress = { ...progress, givenUp }
      moved(young < 0 ? position : (old.at(-1)?.position ?? progress.position))
      more = young < 0 && full
    }
    yield* save
  })

  const once = Effect.gen(function* () {
    const wait = progress.nextAt - (yield* Clock.currentTimeMillis)
    if (wait > 0) yield* Effect.sleep(wait)
    const stretch = yield* events.after(target.account, progress.position, READ)
    const sent = yield* Effect.either(sendAll(stretch.events.filter(({ event }) => wanted.has(event.kind))))
    if (Either.isLeft(sent)) return yield* failed(sent.left)
    moved(stretch.position)
    if (saved.delivered !== progress.delivered || unsaved(saved, progress) > MOST_UNSAVED) yield* save
    if (stretch.full) return
    yield* Effect.sleep(LOOK_MS)
    if (events.arrival !== undefined) yield* events.arrival(progress.position)
  })

  yield* once.pipe(
    // After an error, such as a full disk, nothing is lost: the position was not stored.
    Effect.catchAllCause((cause) =>
      Cause.isInterrupted(cause)
        ? Effect.failCause(cause)
        : Effect.zipRight(
            Effect.logError(`notification ${target.id} met a fault, and continues`, cause),
            Effect.sleep(FIRST_PAUSE_MS)
          )
    ),
    Effect.repeat({ while: () => progress.disabled === "" }),
    Effect.onInterrupt(() => Effect.ignore(Effect.sandbox(save)))
  )
})

const WELL = { failures: 0, nextAt: 0 }

const unsaved = (saved: Progress, { position }: Progress): number =>
  position.entry - saved.position.entry + (position.alert - saved.position.alert)

/** Five seconds, doubled with each failure up to an hour, plus or minus a fifth so that many do not retry at once. */
const pauseAfter = (failures: number): Effect.Effect<number> =>
  Effect.map(
    Random.nextRange(0.8, 1.2),
    (some) => some * Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MOST_PAUSE_MS)
  )
