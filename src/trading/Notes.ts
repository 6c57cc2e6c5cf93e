/** What a note is about. */
export type NoteRule =
  | "opened"
  | "averaged"
  | "closed"
  | "trailing_buy_armed"
  | "trailing_buy_fired"
  | "entry_cancelled"
  | "entry_dropped"
  | "trailing_sell_armed"
  | "trailing_sell_disarmed"
  | "targets_updated"
  | "dca_skipped"
  | "balance_take_profit"
  | "balance_stop_loss"
  | "rebased"
  | "order_refused"
  | "order_rejected"
  | "order_missing"
  | "order_cancelled"
  | "order_accepted"
  | "order_unknown"
  | "unexpected_fill"
  | "dust"

/**
 * One line of a timeline: what a bot did and the numbers that made it do so. `market` is a market key, `price` the
 * price it saw, `level` the threshold that was met; `numbers` holds the rest by name. Machine-readable;
 * `explain` says it in words.
 */
export interface Note {
  readonly at: number
  readonly rule: NoteRule
  readonly market?: string
  readonly reason?: string
  readonly price?: number
  readonly level?: number
  readonly numbers?: Readonly<Record<string, number>>
}

/** A note in plain words, one sentence. */
export const explain = (note: Note): string => {
  const where = note.market === undefined ? "" : ` ${pairOf(note.market)}`
  const at = note.price === undefined ? "" : ` at ${figure(note.price)}`
  return `${sentence(note, where, at)}${numbersOf(note)}.`
}

const sentence = (note: Note, where: string, at: string): string => {
  switch (note.rule) {
    case "opened":
      return `Opened${where}${at}`
    case "averaged":
      return `Added to${where}${at}${because(note, "the price reached the DCA level")}`
    case "closed":
      return `Closed${where}${at}: ${exitText(note.reason)}${because(note, "level")}`
    case "trailing_buy_armed":
      return `Waiting for${where} to turn before entering; the price is${at.slice(3)}`
    case "trailing_buy_fired":
      return `The price of${where} turned${at}${because(note, "the trailing buy fires from")}`
    case "entry_cancelled":
      return `Gave up the waiting entry in${where}: ${plain(note.reason)}`
    case "entry_dropped":
      return `Dropped the waiting entry in${where}${at}: ${plain(note.reason)}`
    case "trailing_sell_armed":
      return `Trailing sell armed on${where}${at}${because(note, "its arm level")}`
    case "trailing_sell_disarmed":
      return `Trailing sell disarmed on${where}: ${plain(note.reason)}`
    case "targets_updated":
      return `New targets for${where}`
    case "dca_skipped":
      return `Left out an averaging entry in${where}${at}: the order would be under the market's minimum`
    case "balance_take_profit":
      return `Balance take profit: equity reached its trigger, everything is closed`
    case "balance_stop_loss":
      return `Balance stop loss: equity fell to its trigger, everything is closed`
    case "rebased":
      return `All is flat: the balance rules count from here`
    case "order_refused":
      return `The risk gate refused an order for${where}: ${plain(note.reason)}`
    case "order_rejected":
      return `The exchange rejected the order for${where}`
    case "order_missing":
      return `The exchange knows nothing of the order for${where}: it never arrived`
    case "order_cancelled":
      return `The order for${where} was cancelled`
    case "order_accepted":
      return `The exchange accepted the order for${where}`
    case "order_unknown":
      return `No answer came for the order for${where}: asking about it`
    case "unexpected_fill":
      return `A fill for${where} belongs to no order in flight and was left alone`
    case "dust":
      return `What rounding left of${where} is too small to sell`
  }
}

/** Why a position was closed, in words. */
export const exitText = (reason: string | undefined): string => {
  switch (reason) {
    case "stop_loss":
      return "stop loss"
    case "sl":
      return "the alert's stop price"
    case "take_profit":
      return "minimum profit reached"
    case "tp":
      return "the alert's target price"
    case "trailing_sell":
      return "the price fell back from its best"
    case "auto_close":
      return "held for as long as it may be"
    case "signal":
      return "a closing alert"
    case "liquidation":
      return "the loss used up the margin"
    default:
      return plain(reason)
  }
}

const because = (note: Note, what: string): string =>
  note.level === undefined ? "" : ` (${what} ${figure(note.level)})`

const numbersOf = (note: Note): string => {
  if (note.numbers === undefined) return ""
  const parts = Object.entries(note.numbers).map(([name, value]) => `${plain(name)} ${figure(value)}`)
  return parts.length === 0 ? "" : `; ${parts.join(", ")}`
}

const plain = (text: string | undefined): string => (text ?? "").replaceAll("_", " ")
const pairOf = (market: string): string => market.split(":")[1] ?? market
const figure = (value: number): string => String(Number(value.toPrecision(10)))
