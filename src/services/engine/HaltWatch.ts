// Applies halts to the bots that they bind. Every turn reads the halts first (`applyHalts`), so that each decision
// after a halt obeys it.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Halt } from "../../domain/Halt.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { bindingOn, Halts } from "../money/Halts.ts"
import { breathe } from "./Breath.ts"
import type { ContextFor } from "./decide/Context.ts"
import type { Engine } from "./Engine.ts"
import type { Roster } from "./Roster.ts"

export const make = Effect.fnUntraced(function* (
  roster: Roster,
  engine: Engine,
  present: Effect.Effect<ContextFor>,
  settle: () => Effect.Effect<void>
) {
  const halts = yield* Halts
  let inForce: ReadonlyArray<Halt> = yield* halts.all
  let isNotified = false

  const isHalted = ({ account }: Strategy): boolean => Option.isSome(bindingOn(inForce, account))

  /** Reads the halts; where they have changed, binds or releases the bots and gives each of them an event. */
  const applyHalts = Effect.flatMap(halts.all, (now) => {
    if (isNotified && areSame(now, inForce)) return Effect.void
    inForce = now
    // Cleared before the bots get their events: after an interruption, the next turn starts over.
    isNotified = false
    return notifyBots
  })

  const notifyBots = Effect.gen(function* () {
    // All bots are bound before any gets its event, because some get it only after a commit.
    for (const bot of roster.all()) bot.halted = isHalted(bot.strategy)
    const contextFor = yield* present
    for (const bot of [...roster.all()]) {
      if (bot.halted === bot.haltNotified) continue
      bot.haltNotified = bot.halted
      engine.faults.attempt(bot, () =>
        engine.adoption.handle(bot, { _tag: "SettingsChanged" }, contextFor(bot))
      )
      if (engine.outbox.isFull) yield* Effect.zipRight(settle(), breathe)
    }
    isNotified = true
    yield* settle()
  })

  return { isHalted, applyHalts, changed: halts.changed }
})

const areSame = (one: ReadonlyArray<Halt>, other: ReadonlyArray<Halt>): boolean =>
  one === other || (one.length === other.length && one.every((halt, place) => halt === other[place]))
