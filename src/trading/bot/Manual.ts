// The owner's own orders: close, cancel a waiting entry, set targets. They act whatever the strategy's rules, halts and
// cooldowns say; an answer that refuses changes nothing.
import * as Option from "effect/Option"
import type { Slot } from "../../domain/Bot.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { PositionSide } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import type { ManualAct, ManualTargets } from "../../domain/position/ManualOrder.ts"
import type { Draft } from "../Decision.ts"
import { closingPrice } from "../Prices.ts"
import { applyRules } from "../rules/ApplyRules.ts"
import * as Entry from "../rules/entry.ts"
import { retargeted } from "./AlertEntry.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"
import type { ManualAnswer } from "./ManualAnswer.ts"
import { closeByHand, unpriced, withoutPosition } from "./ManualClose.ts"

/** Carries out an order by hand on a market's slot, or says why it cannot be. */
export const byHand = (draft: Draft, id: MarketId, act: ManualAct): ManualAnswer => {
  switch (act._tag) {
    case "Close":
      return closeByHand(draft, id, act.percent)
    case "Cancel":
      return cancel(draft, id)
    case "Targets":
      return retarget(draft, id, act)
  }
}

/** Forgets an entry that waits here; one at the exchange is cancelled there, and what has filled of it stays. */
const cancel = (draft: Draft, id: MarketId): ManualAnswer => {
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  if (slot?.trailingBuy !== undefined || slot?.turn !== undefined) {
    Drafts.cancelEntry(draft, key, slot, "manual")
    return { _tag: "EntryCancelled" }
  }
  const order = slot?.order
  if (slot === undefined || order === undefined || order.purpose === "exit") return withoutEntry(slot)
  Drafts.putSlot(draft, key, { ...slot, entryEnding: true })
  draft.cancels.push(order)
  Drafts.note(draft, "entry_ending", { market: key, side: order.position, reason: order.purpose })
  return { _tag: "Cancelling", order: order.id }
}

const withoutEntry = (slot: Slot | undefined): ManualAnswer => ({
  _tag: "Refused",
  reason: "no_entry",
  detail:
    slot?.position === undefined
      ? "no entry waits on this market, and none is at the exchange"
      : "no entry waits on this market, and none is at the exchange; what is held can be closed"
})

const retarget = (draft: Draft, id: MarketId, targets: ManualTargets): ManualAnswer => {
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  if (slot?.position === undefined) return withoutPosition(slot)
  const { side } = slot.position
  const ticker = draft.context.quote(id)
  const [tp, sl] = [valueOf(targets.tp), valueOf(targets.sl)]
  if ((tp ?? sl) !== undefined) {
    if (ticker === undefined) return unpriced(id)
    const unfit = unfitting(side, { tp, sl }, closingPrice(side, ticker))
    if (unfit !== undefined) return unfit
  }
  Drafts.putSlot(draft, key, { ...slot, position: withTargets(slot.position, targets) })
  Drafts.note(draft, "targets_updated", {
    market: key,
    reason: "manual",
    ...(ticker === undefined ? {} : { price: closingPrice(side, ticker) }),
    numbers: {
      ...(targets.tp === undefined ? {} : { tp: tp ?? 0 }),
      ...(targets.sl === undefined ? {} : { sl: sl ?? 0 })
    }
  })
  applyRules(draft, [id], "exits")
  return { _tag: "Retargeted" }
}

const valueOf = (target: ManualTargets["tp"]): number | undefined =>
  target === undefined ? undefined : Option.getOrUndefined(target)

/** What is wrong with targets at this price, if anything is: the rule of an alert's. */
const unfitting = (
  side: PositionSide,
  { sl, tp }: Entry.Targets,
  price: number
): Extract<ManualAnswer, { readonly _tag: "Unfit" }> | undefined => {
  const [beyond, before] = side === "long" ? ["above", "below"] : ["below", "above"]
  const market = `${price}, what closing would get now`
  const badTp = !Entry.targetsFit(side, { tp }, price)
  const badSl = !Entry.targetsFit(side, { sl }, price)
  if (!badTp && !badSl) return undefined
  return {
    _tag: "Unfit",
    ...(badTp ? { tp: `must be ${beyond} ${market}` } : {}),
    ...(badSl ? { sl: `must be ${before} ${market}` } : {})
  }
}

/** The position with these targets: a new tp replaces a ladder too, and no tp removes one. */
const withTargets = (position: Position, targets: ManualTargets): Position => {
  const set = retargeted(position, { tp: valueOf(targets.tp), sl: valueOf(targets.sl) })
  const { ladder: _, tp: __, ...untargeted } = set
  const kept = targets.tp !== undefined && Option.isNone(targets.tp) ? untargeted : set
  const { sl: ___, ...unstopped } = kept
  return targets.sl !== undefined && Option.isNone(targets.sl) ? unstopped : kept
}
