// Halts and resumes entries by hand, and announces both. Exits continue during a halt.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Halt, HaltCause } from "../../domain/Halt.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"
import { Events } from "../Events.ts"
import { Halts, keyOf, type Whose } from "./Halts.ts"

/**
 * Halts entries and announces it; returns the halt in force, which may be an earlier one. A halt by a daily loss is
 * announced by its bot.
 */
export const halt = Effect.fn("Halting.halt")(function* (whose: Whose, cause: HaltCause, text: string) {
  const halts = yield* Halts
  const before = yield* inForce(whose)
  const halt = yield* halts.halt(whose, cause, text)
  if (Option.isNone(before)) yield* announceToOwners(whose, "halted", haltedText(whose, text), { cause })
  return halt
})

/** Ends a halt and announces it; false where there was none. */
export const resume = Effect.fn("Halting.resume")(function* (whose: Whose) {
  const halts = yield* Halts
  const ended = yield* halts.resume(whose)
  if (ended) yield* announceToOwners(whose, "resumed", resumedText(whose), {})
  return ended
})

/** The halt in force for exactly this account, or for everybody. */
const inForce = (whose: Whose): Effect.Effect<Option.Option<Halt>, never, Halts> =>
  Effect.flatMap(Halts, ({ all }) =>
    Effect.map(all, (halts) =>
      Option.fromNullable(halts.find(({ account }) => keyOf(account) === keyOf(whose)))
    )
  )

const announceToOwners = Effect.fnUntraced(function* (
  whose: Whose,
  rule: string,
  text: string,
  facts: TimelineNote["facts"]
) {
  const at = yield* Clock.currentTimeMillis
  const note: TimelineNote = { at, rule, alertId: Option.none(), reason: Option.none(), text, facts }
  yield* Effect.flatMap(Events, ({ announce }) => announce(note, Option.getOrUndefined(whose)))
})

const haltedText = (whose: Whose, text: string): string =>
  `Entries are halted${ofWhom(whose)}: ${text}. Exits go on.`
const resumedText = (whose: Whose): string => `The halt of entries${ofWhom(whose)} has ended.`
const ofWhom = (whose: Whose): string => (Option.isNone(whose) ? " for everybody" : "")
