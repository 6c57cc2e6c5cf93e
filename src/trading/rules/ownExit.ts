// An exit of an embedder's own, after all of ours that close at market: at once where the hook wants it, and else the
// prices and the time at which the hook is called again.
import type { Position } from "../../domain/Position.ts"
import { figuresOf } from "../books/Positions.ts"
import type { OpenPosition } from "../OwnAlert.ts"
import type { Hold, Leave } from "../OwnDecisions.ts"
import { seenBy } from "./ownEntry.ts"
import { isHeldUp, priceFor, type Trigger, type View } from "./Trigger.ts"

/** How long an exit that failed rests, and how soon `at` of a `Hold` may be (ms). */
const AGAIN_MS = 60_000
const SOONEST_MS = 1_000

/** The exit that the hook wants now, or its failure; undefined while it keeps the position. */
export const ownExit = (view: View, position: Position): Trigger | undefined => {
  const answer = answerOf(view, position)
  if (answer === undefined) return undefined
  if (answer === "failed") return { ...NOW, rule: "own_exit_failed" }
  return answer._tag === "Leave" ? { ...NOW, rule: "own_exit", text: answer.text } : undefined
}

/** The prices at which the hook is called again; none where it does not keep the position. */
export const ownLevels = (view: View): ReadonlyArray<Trigger> => ownWindow(view)?.levels ?? []

/** The prices and the time (ms) at which the hook is called again; undefined where there is nothing to call it for. */
export const ownWindow = (
  view: View
): { readonly levels: ReadonlyArray<Trigger>; readonly at: number } | undefined => {
  const { context, slot } = view
  if (slot?.position === undefined || isHeldUp(slot, context.now)) return undefined
  const { ownFailedAt } = slot.position
  if (isResting(ownFailedAt, context.now)) return { levels: [], at: (ownFailedAt ?? 0) + AGAIN_MS }
  const answer = answerOf(view, slot.position)
  if (answer === undefined || answer === "failed" || answer._tag === "Leave") return undefined
  const levels = [levelOf("below", answer.below), levelOf("above", answer.above)]
  return { levels: levels.flatMap((level) => level ?? []), at: timeOf(answer, context.now) }
}

const NOW = { when: "now", level: Number.NaN, reads: "closing" } as const

/** The hook's answer on the position; undefined without a hook, or while it rests after a failure. */
const answerOf = (view: View, position: Position): Leave | Hold | "failed" | undefined => {
  const { context, id, state, ticker } = view
  const { own } = context
  if (own?.hasExit !== true || isResting(position.ownFailedAt, context.now)) return undefined
  const price = priceFor(view, "closing")
  return own.exit(seenBy(context, state, id, { price, ticker }), shownTo(position)) ?? "failed"
}

/** Whether a failure is so recent that the hook rests. A clock that was set back does not prolong it. */
const isResting = (failedAt: number | undefined, now: number): boolean =>
  failedAt !== undefined && now >= failedAt && now < failedAt + AGAIN_MS

const levelOf = (when: "above" | "below", level: number | undefined): Trigger | undefined =>
  level === undefined || !Number.isFinite(level)
    ? undefined
    : { rule: "own_exit", when, level, reads: "closing" }

const timeOf = ({ at }: Hold, now: number): number =>
  at === undefined || at <= now ? Number.POSITIVE_INFINITY : Math.max(at, now + SOONEST_MS)

/** A position as a hook sees it. */
export const shownTo = (position: Position): OpenPosition => {
  const { average, cost, quantity, side } = figuresOf(position)
  const { entries, openedAt, sl, tp } = position
  return { side, quantity, average, cost, entries, openedAt, tp, sl }
}
