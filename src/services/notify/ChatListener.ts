// Listens to the bots that somebody paired a chat with, or is about to, and to no other: each bot is asked by one fiber,
// in however many notifications it stands, on the server that runs the bots of the oldest one's account.
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type Partition, partitionOf } from "../../domain/Partition.ts"
import type { TargetId } from "../../domain/Target.ts"
import * as EnginePartitions from "../engine/EnginePartitions.ts"
import { inRealTime } from "../internal/RealTime.ts"
import { Chats } from "./Chats.ts"
import * as Polling from "./chat/Polling.ts"
import { Targets } from "./Targets.ts"

/** How often the bots are looked up where nothing rings: codes end, and notifications are removed. */
const LOOK = "15 seconds"
/** The pause after the look-up failed. */
const AGAIN = "5 seconds"

/** A running fiber, and for which bot and targets. */
interface Listening {
  readonly fiber: Fiber.RuntimeFiber<never>
  readonly key: string
}

/** A bot to listen to. `home`: the partition of its oldest target's account, which is the same on every server. */
interface Listened extends Polling.Listened {
  readonly home: Partition
}

/** Listens for as long as the layer lives. */
export const layer = (options: { readonly telegramUrl: string }) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const chats = yield* Chats
      const found = yield* lookUp
      const running = new Map<string, Listening>()
      const scope = yield* Effect.scope
      const inTurn = (yield* Effect.makeSemaphore(1)).withPermits(1)
      let held: ReadonlySet<Partition> = new Set()

      const adopt = Effect.gen(function* () {
        const bots = new Map([...(yield* found)].filter(([, { home }]) => held.has(home)))
        for (const [token, { fiber, key }] of running) {
          const wanted = bots.get(token)
          if (wanted !== undefined && keyOf(wanted) === key) continue
          // It has ended before the next one asks: Telegram refuses two.
          yield* Fiber.interrupt(fiber)
          running.delete(token)
        }
        for (const [token, bot] of bots) {
          if (running.has(token)) continue
          const fiber = yield* Effect.forkIn(Polling.listen(bot, options.telegramUrl).pipe(insistent), scope)
          running.set(token, { fiber, key: keyOf(bot) })
        }
      }).pipe(inTurn)
      yield* EnginePartitions.follow((now) => {
        held = now
        return adopt
      })
      yield* adopt.pipe(
        Effect.zipRight(Effect.raceFirst(chats.changed, inRealTime(Effect.sleep(LOOK)))),
        insistent,
        Effect.forkScoped
      )
    })
  )

const keyOf = ({ targets }: Polling.Listened): string => targets.join()

/** Repeats an effect for ever, after a pause where it failed. */
const insistent = <A, R>(self: Effect.Effect<A, never, R>): Effect.Effect<never, never, R> =>
  self.pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterrupted(cause)
        ? Effect.interrupt
        : Effect.zipRight(
            Effect.logError("chats could not be listened to", cause),
            inRealTime(Effect.sleep(AGAIN))
          )
    ),
    Effect.forever
  )

/** Makes the look-up of the bots to listen to, by token. A token that cannot be decrypted is reported once. */
const lookUp = Effect.gen(function* () {
  const chats = yield* Chats
  const targets = yield* Targets
  const tokens = new Map<TargetId, Redacted.Redacted>()
  const reported = new Set<TargetId>()

  const report = (id: TargetId, reason: string) =>
    Effect.suspend(() => {
      if (reported.has(id)) return Effect.void
      reported.add(id)
      return Effect.logWarning(`the bot of notification ${id} is not listened to: ${reason}`)
    })
  const learn = (id: TargetId) =>
    targets.unlock(id).pipe(
      Effect.tap((channel) =>
        Effect.sync(() => {
          if (channel.kind === "telegram") tokens.set(id, Redacted.make(channel.token))
        })
      ),
      Effect.catchTags({
        TargetNotFound: () => Effect.void,
        VaultLocked: ({ reason }) => report(id, reason)
      })
    )

  return Effect.gen(function* () {
    const needed = yield* chats.needed
    for (const id of tokens.keys()) if (!needed.some(({ target }) => target === id)) tokens.delete(id)
    for (const { target } of needed) if (!tokens.has(target)) yield* learn(target)
    const bots = new Map<string, Listened>()
    for (const { account, target } of [...needed].sort((one, other) => one.target - other.target)) {
      const token = tokens.get(target)
      if (token === undefined) continue
      const {
        accounts = [],
        home = partitionOf(account),
        targets = []
      } = bots.get(Redacted.value(token)) ?? {}
      bots.set(Redacted.value(token), {
        token,
        home,
        targets: [...targets, target],
        accounts: [...new Set([...accounts, account])]
      })
    }
    return bots
  })
})
