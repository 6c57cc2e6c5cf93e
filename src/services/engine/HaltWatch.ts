import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Halt } from "../../domain/Halt.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { bindingOn, Halts } from "../money/Halts.ts"
import type { ContextFor } from "./Context.ts"
import type { Engine } from "./Engine.ts"
import type { Roster } from "./Roster.ts"

/** Lets requests be answered between two pieces of a long work. */
const breathe = Effect.sleep(0)

/** Which bots a halt binds. To be looked at in each turn, so that whatever is decided after a halt heeds it. */
export const make = Effect.fnUntraced(function* (
  roster: Roster,
  engine: Engine,
  present: Effect.Effect<ContextFor>,
  settle: () => Effect.Effect<void>
) {
  const halts = yield* Halts
  let inForce: ReadonlyArray<Halt> = yield* halts.all
  let isTold = false

  const isHalted = ({ account }: Strategy): boolean => Option.isSome(bindingOn(inForce, account))

  /** Halts bind from now on, or do no longer; those whom they concern are told. */
  const heed = Effect.flatMap(halts.all, (now) => {
    if (isTold && areSame(now, inForce)) return Effect.void
    inForce = now
    // Until all are told: whoever is interrupted on the way begins anew.
    isTold = false
    return tell
  })

  const tell = Effect.gen(function* () {
    // Bound at once, all of them: some are told only after others have been stored.
    for (const bot of roster.all()) bot.halted = isHalted(bot.strategy)
    const contextFor = yield* present
    for (const bot of [...roster.all()]) {
      if (bot.halted === bot.haltTold) continue
      bot.haltTold = bot.halted
      engine.safely(bot, () => engine.tell(bot, { _tag: "SettingsChanged" }, contextFor(bot)))
      if (engine.isFull()) yield* Effect.zipRight(settle(), breathe)
    }
    isTold = true
    yield* settle()
  })

  return { isHalted, heed, changed: halts.changed }
})

const areSame = (one: ReadonlyArray<Halt>, other: ReadonlyArray<Halt>): boolean =>
  one === other || (one.length === other.length && one.every((halt, place) => halt === other[place]))
