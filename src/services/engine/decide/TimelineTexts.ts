// The entries of a bot's timeline for decisions, outcomes and trades, each with its rule, its reason and the figures
// behind it. The sentences of the rules are in trading/Notes.ts.
import * as Option from "effect/Option"
import { type Alert, AlertId, type Extras, type Reason, type ReasonFacts } from "../../../domain/Alert.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { marketKey } from "../../../domain/Market.ts"
import type { TimelineNote } from "../../../domain/Timeline.ts"
import type { Trade } from "../../../domain/Trade.ts"
import { exitText, explain, type Note } from "../../../trading/Notes.ts"
import * as Reasons from "../../../trading/ReasonWords.ts"

/** An alert with its answer, and the numbers that decided where there are any. */
export interface AnsweredAlert {
  readonly alert: Alert
  readonly reason: Reason
  readonly facts?: ReasonFacts
}

/** The timeline entry for an answered alert. */
export const outcomeNote = (
  { alert, facts, reason }: AnsweredAlert,
  at: number,
  currency: string
): TimelineNote => ({
  at,
  rule: "alert",
  alertId: Option.some(alert.id),
  reason: Option.some(reason),
  text: `${alertText(alert)}: ${Reasons.wordsOf(reason, facts, currency)}.`,
  facts: {
    type: alert.type,
    pair: `${alert.coin}/${alert.quoteCurrency}`,
    ...Option.match(alert.tp, { onNone: () => ({}), onSome: (tp) => ({ tp }) }),
    ...Option.match(alert.sl, { onNone: () => ({}), onSome: (sl) => ({ sl }) }),
    ...extraFacts(alert),
    ...facts
  }
})

/** The optional fields of an alert; a ladder as text: "70@50, 75@50". */
const extraFacts = ({ buyPercentage, closePercent, reverse, tps }: Extras): TimelineNote["facts"] => ({
  ...(closePercent === undefined ? {} : { close_percent: closePercent }),
  ...(reverse === undefined ? {} : { reverse }),
  ...(tps === undefined ? {} : { tps: tps.map(({ percent, price }) => `${price}@${percent}`).join(", ") }),
  ...(buyPercentage === undefined ? {} : { buy_percentage: buyPercentage })
})

/** The timeline entry for a note of a decision. */
export const decisionNote = (note: Note): TimelineNote => ({
  at: note.at,
  rule: note.rule,
  alertId: Option.map(Option.fromNullable(note.alert), (id) => AlertId.make(id)),
  reason: Option.none(),
  text: explain(note),
  facts: {
    ...note.numbers,
    ...(note.market === undefined ? {} : { market: note.market }),
    ...(note.side === undefined ? {} : { side: note.side }),
    ...(note.reason === undefined ? {} : { because: note.reason }),
    ...(note.text === undefined ? {} : { text: note.text }),
    ...(note.price === undefined ? {} : { price: note.price }),
    ...(note.level === undefined ? {} : { level: note.level })
  }
})

/** The timeline entry for a closed trade, with its profit or loss. */
export const tradeNote = (trade: Trade): TimelineNote => {
  const currency = trade.pair.split("/")[1] ?? ""
  const pnl = Decimal.toNumber(trade.pnl)
  const made = `${pnl < 0 ? "lost" : "made"} ${figure(Math.abs(pnl))} ${currency}`
  const percent = Number(trade.profitPercent.toFixed(2))
  const entries = trade.entries > 1 ? ` in ${trade.entries} entries` : ""
  const { exits = 1 } = trade
  const parts = exits > 1 ? ` in ${exits} exits` : ""
  return {
    at: trade.closedAt,
    rule: "trade",
    alertId: Option.none(),
    reason: Option.none(),
    text: `The ${trade.side} trade in ${trade.pair} ${made} (${percent} %) after fees: ${exitText(trade.exitReason)}; ${figure(Decimal.toNumber(trade.quantity))} entered at ${figure(trade.entryPrice)}${entries}, exited at ${figure(trade.exitPrice)}${parts}, held ${span(trade.closedAt - trade.openedAt)}.`,
    facts: {
      market: marketKey(trade),
      side: trade.side,
      because: trade.exitReason,
      pnl: Decimal.toText(trade.pnl),
      profit_percent: trade.profitPercent,
      quantity: Decimal.toText(trade.quantity),
      entry_price: trade.entryPrice,
      exit_price: trade.exitPrice,
      fees: Decimal.toText(trade.fees),
      entries: trade.entries,
      ...(exits > 1 ? { exits } : {})
    }
  }
}

const figure = (value: number): string => String(Number(value.toPrecision(8)))

/** A duration in words: "under a minute", "5 min", "3 h 20 min", "2 d 4 h". */
const span = (millis: number): string => {
  const minutes = Math.round(millis / 60_000)
  if (minutes < 1) return "under a minute"
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

const alertText = (alert: Alert): string =>
  `Alert ${alert.id} said ${alert.type.replaceAll("_", " ")} ${alert.coin}/${alert.quoteCurrency}${askedText(alert)}`

/** What the alert asks for beside its type: the part to close, a turn, a size of its own, the number of its targets. */
const askedText = ({ buyPercentage, closePercent, reverse, tps }: Extras): string =>
  [
    ...(closePercent === undefined ? [] : [`${Number(closePercent.toFixed(2))} % of it`]),
    ...(reverse === true ? ["reverse"] : []),
    ...(buyPercentage === undefined ? [] : [`for ${buyPercentage} %`]),
    ...(tps === undefined ? [] : [tps.length === 1 ? "with 1 target" : `with ${tps.length} targets`])
  ]
    .map((text) => `, ${text}`)
    .join("")

/** A reason code in words. */
export const wordsOf = Reasons.wordsOf
