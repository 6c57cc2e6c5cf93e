// Ends real money for a bot: entries are cancelled, positions are managed to their end or sold, and positions that the
// exchange no longer holds are written off.
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { ExitReason } from "../../domain/Order.ts"
import * as Ledger from "../books/Ledger.ts"
import type { Draft } from "../Decision.ts"
import { applyRules } from "../rules/ApplyRules.ts"
import { ranked } from "../rules/ClosePositions.ts"
import * as DailyLoss from "../rules/DailyLoss.ts"
import * as Drafts from "./Draft.ts"
import { complete } from "./Fills.ts"
import { keyOf } from "./Keys.ts"
import { retryAfterWait } from "./Retry.ts"

/** Disarms the bot. `close` sells open positions as soon as possible; `forget` writes off those that are astray. */
export const disarmed = (draft: Draft, close: boolean, forget: boolean): void => {
  const { live } = draft.state
  if (live === undefined) return
  if (live.leaving !== true) Drafts.change(draft, { _tag: "Live", live: { ...live, leaving: true } })
  Drafts.note(draft, "disarmed", close ? { reason: "close" } : {})
  if (forget)
    for (const [key, slot] of ranked(draft)) if (slot.astray !== undefined) writeOff(draft, key, slot)
  if (close) sellAll(draft, "disarmed")
  else for (const [key, slot] of ranked(draft)) Drafts.cancelEntry(draft, key, slot, "disarmed")
}

/** Sells every open live position. A sale that cannot be sent now is kept as its exit reason and retried. */
export const sellAll = (draft: Draft, exitReason: ExitReason): void => {
  for (const [key, slot] of ranked(draft)) {
    Drafts.cancelEntry(draft, key, slot, exitReason)
    if (slot.astray !== undefined || (slot.position ?? slot.order) === undefined) continue
    Drafts.putSlot(draft, key, { ...slot, retry: retryAfterWait(slot, { exitReason }, draft.context.now) })
    applyRules(draft, [slot], "exits")
  }
}

/**
 * Marks a position as astray (the exchange holds less than the books) or as found again. Never while an order is in
 * flight: its fill may explain the difference.
 */
export const astray = (draft: Draft, id: MarketId, isAstray: boolean): void => {
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  if (slot?.position === undefined || slot.order !== undefined) return
  if ((slot.astray !== undefined) === isAstray) return
  const { astray: _, ...rest } = slot
  const numbers = { quantity: Decimal.approximate(slot.position.quantity) }
  Drafts.putSlot(draft, key, isAstray ? { ...rest, astray: draft.context.now } : rest)
  Drafts.note(draft, isAstray ? "astray" : "found", { market: key, numbers })
  if (!isAstray) applyRules(draft, [id], "all")
}

/**
 * Writes the whole cost off as lost, since the proceeds are unknown. The write-off does not count as a loss of the day.
 */
const writeOff = (draft: Draft, key: string, slot: Slot): void => {
  const { astray: _, position, retry: __, ...rest } = slot
  if (position === undefined) return
  const { now } = draft.context
  const before = DailyLoss.equityOf(draft.context, draft.state)
  Drafts.putSlot(draft, key, rest)
  Drafts.takeBack(draft, rest, "written_off")
  draft.postings.push(Ledger.writtenOff(key, position.basis, now))
  complete(draft, slot, position, { reason: "written_off", at: now })
  const after = DailyLoss.equityOf(draft.context, draft.state)
  const isPriced = before !== undefined && after !== undefined
  DailyLoss.forgive(draft, isPriced ? before - after : Decimal.approximate(position.basis))
  const numbers = {
    quantity: Decimal.approximate(position.quantity),
    cost: Decimal.approximate(position.basis)
  }
  Drafts.note(draft, "written_off", { market: key, numbers })
}
