// The prices at which a slot's rules would act, computed by the very triggers that decide, for display to the user.
import type { BotState, Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Position } from "../../domain/Position.ts"
import { ofLast, type Ticker } from "../../domain/Ticker.ts"
import type { Context } from "../Decision.ts"
import { dca, dcaAt } from "./dca.ts"
import { triggers, viewOf } from "./Rules.ts"
import { ladderStep, profitStep } from "./steps.ts"
import { isBusy, type Rule, type Step, type Trigger, type View } from "./Trigger.ts"

/** Our rules that wait for a price of their own slot; neither time alone nor the whole balance triggers them. */
export type LevelRule = Exclude<Rule, Hidden | "auto_close" | "break_even_arm" | OwnExit>

type Hidden = "balance_stop_loss" | "balance_take_profit"

type OwnExit = "own_exit" | "own_exit_failed"

/**
 * A price that a rule waits for. `from` is the earliest time to act (ms); absent: at once. `step` says which of how many
 * it is and what it closes (base), where it is one.
 */
export interface Level {
  readonly rule: LevelRule
  readonly price: number
  readonly from?: number
  readonly step?: Step
}

/**
 * All prices at which rules of a slot would act, in the sequence of one event. A DCA entry that still has to wait has a
 * `from`. Empty while an order is in flight, since nothing is decided then. Without a price the average stands in for
 * it.
 */
export const levelsOf = (
  context: Context,
  state: BotState,
  slot: Slot,
  ticker: Ticker | undefined
): ReadonlyArray<Level> => {
  if (isBusy(slot)) return []
  const view = viewIn(displayed(context), state, slot, ticker)
  const levels = triggers(view, "all").flatMap((trigger) => levelOf(trigger))
  return [...levels, ...laterSteps(view), ...waitingDca(view)]
}

/** The steps after the next one, each as it would be once those before it are done at their levels. */
const laterSteps = (view: View): ReadonlyArray<Level> => {
  const { figures, slot } = view
  if (slot?.position === undefined || figures === undefined) return []
  const next = (position: Position): Trigger | undefined =>
    position.ladder === undefined ? profitStep(view, position, figures) : ladderStep(view, position)
  const found: Array<Level> = []
  let position = slot.position
  for (let trigger = next(position); trigger?.step !== undefined; trigger = next(position)) {
    if (position !== slot.position) found.push(...levelOf(trigger))
    if (trigger.step.closesAll) break
    position = after(position, trigger.step)
  }
  return found
}

/** The position once a step is done. */
const after = (position: Position, { number, quantity }: Step): Position => {
  const { ladder } = position
  const left = { ...position, quantity: Decimal.subtract(position.quantity, quantity) }
  return ladder === undefined
    ? { ...left, stepsDone: number }
    : { ...left, ladder: { ...ladder, done: number } }
}

const viewIn = (context: Context, state: BotState, slot: Slot, ticker: Ticker | undefined): View => {
  const view = viewOf(context, state, slot, ticker ?? ofLast(1, context.now))
  if (ticker !== undefined || view.figures === undefined) return view
  return { ...view, ticker: ofLast(view.figures.average, context.now) }
}

/**
 * The context without balance rules, which depend on all slots and have no price of one slot, and without an embedder's
 * own exit, which is not called for a display.
 */
const displayed = (context: Context): Context => {
  const { balanceStopLoss: _, balanceTakeProfit: __, ...settings } = context.settings
  return { ...context, settings, own: undefined }
}

const levelOf = ({ level, limit, rule, step, when }: Trigger, from?: number): ReadonlyArray<Level> => {
  if (rule === "balance_stop_loss" || rule === "balance_take_profit" || rule === "auto_close") return []
  if (rule === "own_exit" || rule === "own_exit_failed" || rule === "break_even_arm") return []
  if (when === "now" || !(level > 0) || level === Number.POSITIVE_INFINITY) return []
  const stepped = step === undefined ? {} : { step }
  return [{ rule, price: limit ?? level, ...(from === undefined ? {} : { from }), ...stepped }]
}

/** The level of the DCA entry once its waiting time is over. */
const waitingDca = (view: View): ReadonlyArray<Level> => {
  const position = view.slot?.position
  if (position === undefined || view.figures === undefined) return []
  const at = dcaAt(view, position)
  if (at === undefined || at <= view.context.now) return []
  const trigger = dca({ ...view, context: { ...view.context, now: at } }, position, view.figures)
  return trigger === undefined ? [] : levelOf(trigger, at)
}
