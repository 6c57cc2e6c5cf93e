// Opens a position or arms its trailing buy, once all conditions of an entry hold: for an alert, and for the second leg
// of a turn.
import type { IgnoredReason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { Draft } from "../Decision.ts"
import * as Entry from "../rules/entry.ts"
import { targetsOf } from "../rules/targeted.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"

/** What became of an entry: opened, armed, or refused, with an embedder's words if the refusal is theirs. */
export type Opened =
  | { readonly _tag: "Opened"; readonly reason: "opened" | "trailing_buy_armed" }
  | { readonly _tag: "Refused"; readonly reason: IgnoredReason; readonly text?: string }

/** Opens the entry at its price, or arms the trailing buy. */
export const open = (draft: Draft, id: MarketId, entry: Entry.WantedEntry): Opened => {
  const { context, state } = draft
  const { alert, price, side } = entry
  const key = keyOf(id)
  const check = Entry.check(context, state, id, entry)
  if (check._tag === "Refused") {
    if (check.text !== undefined) Drafts.noteVeto(draft, key, { side, price, alert, text: check.text })
    return check
  }
  const { quantity, targets = entry.targets } = check
  if (context.settings.trailingBuy !== undefined) {
    arm(draft, id, { ...entry, targets })
    return { _tag: "Opened", reason: "trailing_buy_armed" }
  }
  if (!Drafts.enter(draft, id, { side, purpose: "entry", quantity, price, alert, targets }))
    return { _tag: "Refused", reason: "insufficient_balance" }
  const numbers = { quantity: Decimal.approximate(quantity) }
  Drafts.note(draft, "opened", { market: key, side, price, numbers })
  return { _tag: "Opened", reason: "opened" }
}

const arm = (
  draft: Draft,
  id: MarketId,
  { alert, buyPercentage, price, side, targets }: Entry.WantedEntry
): void => {
  const key = keyOf(id)
  const trailingBuy = {
    side,
    alert,
    extreme: price,
    armedAt: draft.context.now,
    ...targetsOf(targets),
    ...(buyPercentage === undefined ? {} : { buyPercentage })
  }
  Drafts.putSlot(draft, key, { exchange: id.exchange, pair: id.pair, kind: id.kind, trailingBuy })
  const { trailingBuy: trail } = draft.context.settings
  const numbers = trail === undefined ? {} : { "trail percent": trail.percent }
  Drafts.note(draft, "trailing_buy_armed", { market: key, side, price, numbers })
}
