// Joins fetched pages of a timeline, newest first, without gaps or duplicates. Pure.
import type { Answer } from "../wire.ts"

export type Entry = Answer<"dashboard", "timeline">["data"][number]

export interface Day {
  /** The local day, as in its heading. */
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

/** Adds newer entries. If there is a gap (more happened than a page holds), older entries are dropped. */
export const joined = (known: ReadonlyArray<Entry>, head: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const oldest = head.at(-1)
  const newest = known[0]
  if (oldest === undefined || newest === undefined) return head.length > 0 ? head : known
  return oldest.id > newest.id ? head : [...head, ...known.filter(({ id }) => id < oldest.id)]
}

/** Adds an older page at the end. */
export const extended = (known: ReadonlyArray<Entry>, older: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const last = known.at(-1)
  return last === undefined ? older : [...known, ...older.filter(({ id }) => id < last.id)]
}

/** Entries grouped by day. */
export const byDay = (
  entries: ReadonlyArray<Entry>,
  dayOf: (seconds: number) => string
): ReadonlyArray<Day> => {
  const days: Array<{ title: string; entries: Array<Entry> }> = []
  for (const entry of entries) {
    const title = dayOf(entry.at)
    const last = days.at(-1)
    if (last?.title === title) last.entries.push(entry)
    else days.push({ title, entries: [entry] })
  }
  return days
}

/** The colour of an entry's mark. */
export const toneOf = ({ facts, reason, rule }: Entry): "good" | "bad" | "warn" | "accent" | "quiet" => {
  switch (rule) {
    case "trade":
      return Number(facts["pnl"]) < 0 ? "bad" : "good"
    case "opened":
    case "averaged":
    case "added":
    case "reduced":
    case "turning":
    case "break_even_armed":
    case "closed":
    case "trailing_buy_fired":
    case "order_filled":
    case "armed":
    case "back_on_paper":
    case "found":
    case "resumed":
      return "accent"
    case "order_refused":
    case "order_rejected":
    case "order_missing":
    case "order_unknown":
    case "unexpected_fill":
    case "balance_stop_loss":
    case "daily_loss":
    case "astray":
    case "written_off":
      return "bad"
    case "entry_dropped":
    case "entry_cancelled":
    case "dca_skipped":
    case "turn_dropped":
    case "part_owed":
    case "own_size":
    case "break_even_off":
    case "vetoed":
    case "own_exit_failed":
    case "order_cut":
    case "halted":
    case "disarmed":
      return "warn"
    case "alert":
      return ACTED.some((it) => it === reason) ? "accent" : "warn"
    default:
      return "quiet"
  }
}

const ACTED = [
  "opened",
  "added",
  "turned",
  "reduced",
  "trailing_buy_armed",
  "entry_cancelled",
  "closed",
  "targets_updated"
] as const

const GROUPS: Readonly<Record<string, string>> = {
  alert: "Alert",
  trade: "Result",
  opened: "Entry",
  averaged: "DCA",
  added: "Added",
  reduced: "Part",
  turning: "Turn",
  turn_dropped: "Turn",
  part_owed: "Part",
  own_size: "Size",
  break_even_armed: "Break even",
  break_even_off: "Break even",
  closed: "Exit",
  order_filled: "Fill",
  trailing_buy_armed: "Trailing buy",
  trailing_buy_fired: "Entry",
  entry_cancelled: "Trailing buy",
  entry_dropped: "Trailing buy",
  trailing_sell_armed: "Trailing sell",
  trailing_sell_disarmed: "Trailing sell",
  targets_updated: "Targets",
  dca_skipped: "DCA",
  balance_take_profit: "Balance",
  balance_stop_loss: "Balance",
  rebased: "Balance",
  settings_changed: "Settings",
  original_changed: "Original",
  signal_detached: "Signal",
  armed: "Real money",
  disarmed: "Real money",
  back_on_paper: "Real money",
  halted: "Halt",
  resumed: "Halt",
  daily_loss: "Halt",
  astray: "Not at exchange",
  found: "Not at exchange",
  written_off: "Not at exchange",
  vetoed: "Own decision",
  alert_changed: "Own decision",
  own_exit: "Own decision",
  own_exit_failed: "Own decision",
  stop_placed: "Stop",
  stop_cancelled: "Stop"
}

/** A one-word title of an entry's kind. */
export const groupOf = ({ rule }: Entry): string =>
  GROUPS[rule] ?? (rule.startsWith("order") ? "Order" : "Note")
