// Events for receivers outside: streams, webhooks, notifications. An event is derived from a timeline entry or an
// alert; its id is the same however often it is sent, and a position in the two logs shows which events a reader has
// seen.
import * as Schema from "effect/Schema"
import type { Reason } from "./Alert.ts"
import { outcomeOf } from "./Alert.ts"

/** The kind of an event, by which receivers choose. Its rule is more specific. */
export const EventKind = Schema.Literal(
  "alert_received",
  "alert_acted",
  "alert_skipped",
  "alert_missed",
  "opened",
  "averaged",
  "reduced",
  "turned",
  "closing",
  "closed",
  "take_profit",
  "stop_loss",
  "trailing",
  "skipped",
  "targets",
  "balance",
  "order",
  "settings",
  "live",
  "exchange",
  "storage",
  "test",
  "other"
)
export type EventKind = typeof EventKind.Type

/** The meaning of each kind, as the reference states it. */
export const KINDS: Readonly<Record<EventKind, string>> = {
  alert_received: "an alert of yours was stored",
  alert_acted: "a strategy acted on an alert",
  alert_skipped: "a strategy ignored an alert, and why",
  alert_missed:
    "a rule of yours fired as a witness, and the alert from outside that it waits for did not come",
  opened: "an entry is ordered, which opens a position or adds to it once it is filled",
  averaged: "an averaging entry (DCA) is ordered",
  reduced:
    "the close of a part of a position is ordered: by an alert, a step or a target of a ladder, or by hand",
  turned: "a position is being closed, and one of the other side opened in its place",
  closing: "a position's close is ordered",
  closed: "a trade ended, with its result: by a closing alert, auto close or by hand",
  take_profit: "a trade ended, with its result: minimum profit, last step, target or trailing sell",
  stop_loss: "a trade ended, with its result: stop loss, stop price, stop at break even or liquidation",
  trailing: "a trailing buy or sell was armed, fired or disarmed",
  skipped: "an entry was given up or left out, or a close vetoed, and why",
  targets: "an open position has new targets, or its stop moved to break even",
  balance: "a balance rule acted",
  order: "what an exchange said of an order: accepted, filled, rejected, unknown",
  settings: "a strategy's settings changed, or those of its original, or its signal was taken from it",
  live: "a strategy was armed or disarmed, a halt, a day that lost too much, a coin that is gone, a bot that is set aside, a chat that was paired or is not heard",
  exchange: "prices of an exchange are gone, or back",
  storage: "nothing could be stored for a while, or candles are no longer recorded for want of disk",
  test: "a test of a notification",
  other: "anything else"
}

/** The default kinds of a new notification: each thing once, in the kind that has its numbers. */
export const USUAL_KINDS: ReadonlyArray<EventKind> = [
  "alert_acted",
  "alert_skipped",
  "alert_missed",
  "opened",
  "averaged",
  "reduced",
  "turned",
  "closed",
  "take_profit",
  "stop_loss",
  "skipped",
  "balance",
  "settings",
  "live",
  "exchange",
  "storage"
]

/**
 * How far the two logs behind the events were read: the timeline and the alerts. Both only grow, so everything beyond a
 * position is new to its holder.
 */
export const Position = Schema.Struct({ entry: Schema.Int, alert: Schema.Int })
export type Position = typeof Position.Type

/** The numbers of an event, by name. */
export type Facts = Readonly<Record<string, string | number | boolean>>

/**
 * An event for receivers outside. `id` is the same however often it is sent. `at` in ms since the epoch; fields that do
 * not apply are absent.
 */
export interface Event {
  readonly id: string
  readonly kind: EventKind
  readonly at: number
  readonly rule: string
  readonly text: string
  readonly strategy?: number
  /** The strategy's present name; absent if it was deleted. */
  readonly strategyName?: string
  readonly alert?: number
  readonly reason?: Reason
  readonly facts: Facts
}

/** An event and the position after it. */
export interface Placed {
  readonly event: Event
  readonly position: Position
}

/** A position as text: the id of an event in the stream. `positionOf` parses it. */
export const textOfPosition = ({ alert, entry }: Position): string => `${entry}-${alert}`

/** Parses a position; undefined if the text is none. */
export const positionOf = (text: string): Position | undefined => {
  const [, entry, alert] = /^(0|[1-9]\d{0,14})-(0|[1-9]\d{0,14})$/.exec(text) ?? []
  return entry === undefined || alert === undefined
    ? undefined
    : { entry: Number(entry), alert: Number(alert) }
}

/** The id of an event. It contains the time, because a restored database issues its numbers again. */
export const idOf = (log: "entry" | "alert" | "test", number: number, at: number): string =>
  `${log}_${number}_${at.toString(36)}`

const OF_RULES: Readonly<Record<string, EventKind>> = {
  opened: "opened",
  averaged: "averaged",
  added: "opened",
  closed: "closing",
  reduced: "reduced",
  turning: "turned",
  turn_dropped: "skipped",
  part_owed: "skipped",
  own_size: "skipped",
  break_even_armed: "targets",
  break_even_off: "targets",
  trailing_buy_armed: "trailing",
  trailing_buy_fired: "trailing",
  trailing_sell_armed: "trailing",
  trailing_sell_disarmed: "trailing",
  entry_cancelled: "skipped",
  entry_dropped: "skipped",
  entry_ending: "order",
  close_waits: "closing",
  manual_dropped: "skipped",
  dca_skipped: "skipped",
  order_refused: "skipped",
  vetoed: "skipped",
  own_exit: "closing",
  targets_updated: "targets",
  balance_take_profit: "balance",
  balance_stop_loss: "balance",
  rebased: "balance",
  order_rejected: "order",
  order_cut: "order",
  order_missing: "order",
  order_cancelled: "order",
  order_accepted: "order",
  order_filled: "order",
  order_unknown: "order",
  unexpected_fill: "order",
  dust: "order",
  stop_placed: "order",
  stop_cancelled: "order",
  armed: "live",
  disarmed: "live",
  back_on_paper: "live",
  halted: "live",
  resumed: "live",
  daily_loss: "live",
  astray: "live",
  found: "live",
  written_off: "live",
  set_aside: "live",
  taken_back: "live",
  signal_detached: "settings",
  settings_changed: "settings",
  original_changed: "settings",
  exchange_unreachable: "exchange",
  exchange_back: "exchange",
  storage_back: "storage",
  server_back: "live",
  recording_stopped: "storage",
  recording_back: "storage",
  chat_paired: "live",
  chat_unpaired: "live",
  chat_fault: "live",
  rule_unwitnessed: "alert_missed"
}

const OF_EXITS: Readonly<Record<string, EventKind>> = {
  stop_loss: "stop_loss",
  sl: "stop_loss",
  break_even: "stop_loss",
  liquidation: "stop_loss",
  balance_stop_loss: "stop_loss",
  take_profit: "take_profit",
  tp: "take_profit",
  trailing_sell: "take_profit",
  balance_take_profit: "take_profit"
}

/** The kind of a timeline entry. */
export const kindOf = (rule: string, reason: Reason | undefined, facts: Facts): EventKind => {
  if (rule === "alert" && reason !== undefined)
    return outcomeOf(reason) === "acted" ? "alert_acted" : "alert_skipped"
  if (rule === "trade") return OF_EXITS[String(facts["because"])] ?? "closed"
  return OF_RULES[rule] ?? "other"
}

/** An event as streams and webhooks send it. */
export const dataOf = (event: Event) => ({
  id: event.id,
  kind: event.kind,
  at: event.at,
  rule: event.rule,
  text: event.text,
  strategy_id: event.strategy ?? null,
  strategy_name: event.strategyName ?? null,
  alert_id: event.alert ?? null,
  reason: event.reason ?? null,
  facts: event.facts
})
