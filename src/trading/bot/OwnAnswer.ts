// An alert that an embedder's own decisions wrap: the answer is one of the bot's own, to the alert as it came or changed,
// or a veto. Where the hook fails, an alert that opens is vetoed, and one that closes closes.

import type { AlertType } from "../../domain/Alert.ts"
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import type { AlertAnswer, BotAlert, Context, Decision, Draft, Event } from "../Decision.ts"
import type { AlertChange, Arrival, Decided } from "../OwnAlert.ts"
import { FAILED, type OwnDecisions, plain } from "../OwnDecisions.ts"
import { closingPrice, openingPrice, tidy } from "../Prices.ts"
import { type Meaning, meaningOf } from "../Routing.ts"
import { about, applyRules } from "../rules/ApplyRules.ts"
import { seenBy } from "../rules/ownEntry.ts"
import { shownTo } from "../rules/ownExit.ts"
import { answer } from "./AlertDecision.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"

/** An alert as an event of a bot. */
type Arrived = Extract<Event, { readonly _tag: "Alert" }>

/** Makes a whole decision of what answers the alert. */
type Settle = (react: (draft: Draft) => AlertAnswer) => Decision

/** The bot's decision on an alert as the hook wants it. Without a price the alert is answered as if there were no hook. */
export const ownAnswer = (
  own: OwnDecisions,
  context: Context,
  { event, state }: { readonly event: Arrived; readonly state: BotState },
  settle: Settle
): Decision => {
  const { alert, market } = event
  const asItCame = () => settle((draft) => answer(draft, event))
  const ticker = context.quote(market)
  if (ticker === undefined) return asItCame()
  const meaning = meaningOf(alert.type)
  const price = priceOf(meaning, ticker)
  const made = new Map<Decided, Decision>()
  const decide = (change: AlertChange): Decided => {
    const decision = settle((draft) => changed(draft, event, change, price))
    const decided = shown(decision)
    made.set(decided, decision)
    return decided
  }
  const arrival = arrivalOf(state, event, meaning)
  const chosen = own.alert(seenBy(context, state, market, { price, ticker }), arrival, decide)
  // A bot that acts without end is set aside, whatever the hook makes of it.
  for (const decision of made.values()) if (decision.overrun === true) return decision
  if (chosen === undefined && meaning.act === "close") return asItCame()
  const decided = chosen ?? FAILED
  return "_tag" in decided
    ? settle((draft) => vetoed(draft, event, price, decided.text))
    : (made.get(decided) ?? asItCame())
}

const priceOf = ({ act, side }: Meaning, ticker: Ticker): number =>
  tidy(act === "open" ? openingPrice(side, ticker) : closingPrice(side, ticker))

const arrivalOf = (state: BotState, { alert, market }: Arrived, { act, side }: Meaning): Arrival => {
  const position = state.slots[keyOf(market)]?.position
  const { id, sl, tp } = alert
  return { alert: id, act, side, tp, sl, position: position === undefined ? undefined : shownTo(position) }
}

/** Answers the alert as it is changed, and notes the change. */
const changed = (draft: Draft, event: Arrived, change: AlertChange, price: number): AlertAnswer => {
  const { alert, market } = event
  const { side, act: before, kind } = meaningOf(alert.type)
  const { act = before, sl, text, tp } = change
  const bare = act === before ? kept(alert, tp) : plainOf(alert)
  const wanted: BotAlert = {
    ...bare,
    type: act === before ? alert.type : TYPES[kind][side][act],
    ...(tp === undefined ? {} : { tp }),
    ...(sl === undefined ? {} : { sl })
  }
  if (act !== before || tp !== alert.tp || sl !== alert.sl) {
    const numbers = { ...(tp === undefined ? {} : { tp }), ...(sl === undefined ? {} : { sl }) }
    const words = text === undefined ? {} : { text: plain(text) }
    const note = { market: keyOf(market), side, price, alert: alert.id, reason: wanted.type, numbers }
    Drafts.note(draft, "alert_changed", { ...note, ...words })
  }
  return answer(draft, { ...event, alert: wanted })
}

/** The alert without targets; a ladder stays unless there is a target in its place. */
const kept = ({ sl: _, tp: __, tps, ...rest }: BotAlert, tp: number | undefined): BotAlert =>
  tp === undefined && tps !== undefined ? { ...rest, tps } : rest

/** What parts, turns and sizes an alert names goes with its own type, and not with another. */
const plainOf = ({ at, id, pair, type }: BotAlert): BotAlert => ({ id, type, pair, at })

const TYPES: Readonly<Record<Meaning["kind"], Record<Meaning["side"], Record<Meaning["act"], AlertType>>>> = {
  spot: { long: { open: "buy", close: "sell" }, short: { open: "short", close: "close_short" } },
  swap: { long: { open: "long", close: "close_long" }, short: { open: "short", close: "close_short" } }
}

/** Exit rules come before an alert, also before one that is not acted on. */
const vetoed = (draft: Draft, { alert, market }: Arrived, price: number, text: string): AlertAnswer => {
  applyRules(draft, about(draft, market).markets, "exits")
  const { act, side } = meaningOf(alert.type)
  const what = act === "close" ? { reason: "close" } : {}
  Drafts.noteVeto(draft, keyOf(market), { side, price, alert: alert.id, text, ...what })
  return { _tag: "Answered", reason: "vetoed" }
}

/** What a decision answers and orders, without what only the books need. */
const shown = ({ alert, orders }: Decision): Decided => ({
  answer: alert?._tag === "Answered" ? alert.reason : "waiting",
  orders: orders.map(({ price, purpose, quantity, side }) => ({
    ...{ side, purpose, price },
    quantity: Decimal.approximate(quantity)
  }))
})
