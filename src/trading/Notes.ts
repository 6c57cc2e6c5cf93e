// The timeline: one note per thing a bot did, with the rule and the numbers behind it, and `explain`, which puts a note
// into one English sentence. A decision is noted as an order; what was bought or sold is noted with its fill.
import type { PositionSide } from "../domain/Order.ts"
import { exitText } from "./ExitWords.ts"
import type { NoteRule } from "./NoteRules.ts"
import { MAX_DECISIONS } from "./Overrun.ts"
import { causeOf } from "./ReasonWords.ts"

export { exitText } from "./ExitWords.ts"
export type { NoteRule } from "./NoteRules.ts"

/**
 * One line of a timeline: what a bot did, and the numbers that made it do so. `market` is a market key, `price` the
 * price at the time, `level` the threshold that was met, `side` the position's; `numbers` holds the rest by name.
 * `opened`, `averaged`, `closed` and `trailing_buy_fired` are decided orders, whose fills are `order_filled`; the fill that
 * closes a position is its trade.
 * `alert` is the alert behind an entry, if the note reports how its order ended, or that it was vetoed.
 * Machine-readable; `explain` gives the text.
 */
export interface Note {
  readonly at: number
  readonly rule: NoteRule
  readonly market?: string
  readonly side?: PositionSide
  readonly reason?: string
  readonly price?: number
  readonly level?: number
  readonly alert?: number
  /** The words of an embedder's own decisions. */
  readonly text?: string
  readonly numbers?: Readonly<Record<string, number>>
}

/** The note as one sentence, with the numbers that decided. */
export const explain = (note: Note): string => {
  const where = note.market === undefined ? "" : ` ${pairOf(note.market)}`
  const at = note.price === undefined ? "" : ` at ${figure(note.price)}`
  return `${sentence(note, where, at)}.`
}

const sentence = (note: Note, where: string, at: string): string => {
  const number = reader(note)
  switch (note.rule) {
    case "opened":
      return `Ordered to ${verb(note, "entry")}${amount(note)} on${where}${at}`
    case "averaged":
      return `Ordered to ${verb(note, "entry")}${amount(note)} more on${where}${at}${averagedBecause(note)}`
    case "closed":
      return `Ordered to ${verb(note, "exit")}${amount(note)} on${where}${at}: ${closedBecause(note)}`
    case "added":
      return `Ordered to ${verb(note, "entry")}${amount(note)} more on${where}${at}: another entry alert${part(number("entry number"), (count) => `, entry ${count}`)}${part(number("most entries"), (most) => ` of ${most}`)}`
    case "reduced":
      return `Ordered to ${verb(note, "exit")}${amount(note)} on${where}${at}, ${part(number("part percent"), (percent) => `${percent} % of the position`)}: ${closedBecause(note)}${leaving(note)}`
    case "turning":
      return `Turning${where} to ${note.side ?? "the other side"}${at}: the ${note.side === "short" ? "long" : "short"} is closed first, then the ${note.side ?? "other side"} is opened`
    case "turn_dropped":
      return `No ${note.side ?? "other side"} is opened on${where}${at}, only the other side is closed: ${causeOf(note.reason)}`
    case "part_owed":
      return `The part of${where} to close is under the market's minimum${at}${part(number("owed"), (owed) => `: ${owed}${coinOf(note)} are owed, and the next part takes them along`)}`
    case "own_size":
      return `The alert's buy percentage is for the strategies of its signal's owner: this entry in${where} has the strategy's own size${part(number("own percent"), (own) => `, ${own} %`)}${part(number("alert percent"), (percent) => `, not ${percent} %`)}`
    case "trailing_buy_armed":
      return `Waiting for${where} to turn before entering; the price is${at.slice(3)}${part(number("trail percent"), (trail) => `, it enters ${trail} % ${beyond(note)} the ${best(note)} from here`)}`
    case "trailing_buy_fired":
      return `The price of${where} turned${at}, ordered to ${verb(note, "entry")}${amount(note)}${turned(note)}`
    case "entry_cancelled":
      return `Cancelled the waiting entry in${where}: ${plain(note.reason)}`
    case "entry_dropped":
      return `Dropped the waiting entry in${where}${at}: ${plain(note.reason)}${part(number("extreme"), (extreme) => `; its ${best(note)} was ${extreme}`)}`
    case "entry_ending":
      return `Cancelling the ${note.reason === "dca" ? "averaging " : ""}entry order for${where} at the exchange, by hand: what has filled of it stays`
    case "close_waits":
      return `To be closed by hand:${amount(note)} of${where}${at}${part(number("part percent"), (percent) => `, ${percent} % of the position`)}, as soon as its stop at the exchange is cancelled${leaving(note)}`
    case "manual_dropped":
      return `The part of${where} to close by hand is under the market's minimum${at} by now: nothing is sold`
    case "break_even_armed":
      return `The stop of${where} is at break even from here${note.level === undefined ? "" : `: at ${figure(note.level)} closing the rest would neither win nor lose`}`
    case "break_even_off":
      return `The stop of${where} is no longer at break even after an entry, until the price is beyond the new level`
    case "trailing_sell_armed":
      return `Trailing sell armed on${where}${at}${part(number("profit percent"), (profit) => `: ${profit} % profit`)}${because(note, "its arm level")}${part(number("trail percent"), (trail) => `; it closes ${trail} % ${behind(note)} the best price from here`)}`
    case "trailing_sell_disarmed":
      return `Trailing sell disarmed on${where}: ${plain(note.reason)}${because(note, "it arms again at")}`
    case "targets_updated":
      return note.reason === "manual"
        ? `New targets by hand for${where}: ${targetsOf(note)}`
        : `New targets for${where}${listed(note)}`
    case "dca_skipped":
      return `Skipped a DCA entry in${where}${at}: the order would be ${note.reason === "over_max_order" ? "larger than the strategy was armed for" : "under the market's minimum"}${listed(note)}`
    case "balance_take_profit":
      return `Balance take profit: equity reached its trigger${balanceBecause(note, "above")}, closing everything`
    case "balance_stop_loss":
      return `Balance stop loss: equity fell to its trigger${balanceBecause(note, "below")}, closing everything`
    case "rebased":
      return `Everything is closed: the balance rules count from here${listed(note)}`
    case "set_aside":
      if (note.reason === "operator")
        return "Set aside by the operator: the bot does nothing until the strategy has new settings"
      return note.reason !== undefined
        ? `Set aside, because ${note.reason}: the bot does nothing until it does, or until the strategy has settings without it`
        : `Set aside: the bot acted over ${MAX_DECISIONS} times on one event, of which nothing is kept; it does nothing until the strategy has new settings`
    case "taken_back":
      return "The bot is no longer set aside and continues"
    case "vetoed":
      return `Own decisions are against ${vetoedThing(note)} in${where}${at}: ${note.text}`
    case "alert_changed":
      return `Own decisions took the alert on${where}${at} as ${plain(note.reason)}${listed(note)}${part(note.text, (text) => `: ${text}`)}`
    case "own_exit":
      return `Own decisions close${where}${at} as soon as its stop at the exchange is cancelled: ${note.text}`
    case "own_exit_failed":
      return `The own exit of${where} failed, so the position stays under the strategy's other rules; it is tried again each minute`
    case "order_refused":
      return `The risk gate refused an order for${where}: ${plain(note.reason)}`
    case "order_rejected":
      return `The exchange rejected the order for${where}${isPurpose(note.reason) ? "" : `: ${note.reason}`}${inVain(note)}`
    case "order_cut":
      return `Sent a smaller order for${where}, ${number("sent")} of ${number("decided")}: ${note.reason === "exit" ? "the account has no more of it" : "the exchange locks more than an order costs until it is done, and the account has no more"}`
    case "order_missing":
      return `The exchange does not know the order for${where}: it never arrived${inVain(note)}`
    case "order_cancelled":
      return `The order for${where} was cancelled${inVain(note)}`
    case "order_accepted":
      return `The exchange accepted the order for${where}`
    case "order_filled":
      return `${done(note)}${amount(note)} on${where}${at}${remains(note)}`
    case "order_unknown":
      return `No answer came for the order for${where}: asking about it`
    case "unexpected_fill":
      return `A fill for${where} belongs to no order in flight and was ignored`
    case "dust":
      return `What rounding left of${where} is too small to sell${listed(note)}`
    case "armed":
      return `Armed: trades with real money from here${listed(note)}`
    case "disarmed":
      return `Disarmed: no more entries, and open positions are ${note.reason === "close" ? "to be sold at once" : "managed to their end"}`
    case "back_on_paper":
      return `Back on paper: no real money from here${listed(note)}`
    case "halted":
      return `Entries are halted${note.reason === undefined ? "" : `: ${note.reason}`}`
    case "resumed":
      return "Entries continue: the halt has ended"
    case "daily_loss":
      return `The day reached its loss limit, and entries are halted${listed(note)}`
    case "astray":
      return `The exchange holds less of${where} than the books, so trading there is suspended${listed(note)}`
    case "found":
      return `The exchange holds enough of${where} again, so trading there continues${listed(note)}`
    case "written_off":
      return `Took${where} off the books, because the exchange no longer holds it${listed(note)}`
    case "stop_placed":
      return `Placing a stop for${where}${at} at the exchange${listed(note)}`
    case "stop_cancelled":
      return `Cancelling the stop for${where}${at}: ${exitText(note.reason)}`
  }
}

/** Targets that were set by hand; 0 stands for one that was removed. */
const targetsOf = ({ numbers = {} }: Note): string =>
  Object.entries(numbers)
    .map(([name, value]) => (value === 0 ? `${name} removed` : `${name} ${figure(value)}`))
    .join(", ")

const vetoedThing = ({ reason }: Note): string =>
  reason === "dca" ? "a DCA entry" : reason === "close" ? "closing the position" : "an entry"

/** For the alert whose order ended without a fill. */
const inVain = ({ alert }: Note): string => (alert === undefined ? "" : `; alert ${alert} opened nothing`)

/** A rejection without the exchange's reason carries the order's purpose instead. */
const isPurpose = (reason: string | undefined): boolean =>
  reason === undefined || reason === "entry" || reason === "dca" || reason === "exit"

/** The rule that closed the position, the distance it measured, and the profit. */
const closedBecause = (note: Note): string => {
  const number = reader(note)
  const profit = part(number("profit percent"), (percent) => `; at that price ${percent} % profit after fees`)
  const average = part(number("average"), (price) => `, average ${price}`)
  return `${closedBy(note)}${profit}${profit === "" ? average.replace(",", ";") : average}`
}

const closedBy = (note: Note): string => {
  const number = reader(note)
  if (note.numbers?.["step"] !== undefined) return steppedBy(note)
  const words = note.text === undefined ? exitText(note.reason) : `${exitText(note.reason)}, ${note.text}`
  switch (note.reason) {
    case "trailing_sell": {
      const peak = note.numbers?.["peak"]
      if (peak === undefined || note.price === undefined) return `${words}${because(note, "level")}`
      const verb = note.side === "short" ? "rose" : "fell"
      const arm = part(number("arm percent"), (percent) => ` after arming at +${percent} %`)
      return `${verb} ${share(distance(note.price, peak))} from the peak ${figure(peak)}${arm}${because(note, "it closes from")}`
    }
    case "stop_loss":
      return `${words}${part(number("stop percent"), (percent) => ` of ${percent} %`)}${because(note, "from")}`
    case "take_profit":
      return `${words}${part(number("min profit percent"), (percent) => `, ${percent} %`)}${because(note, "from")}`
    case "auto_close":
      return `${words}${part(number("minutes"), (minutes) => `, ${minutes} min`)}`
    case "signal":
      return `${words}${part(number("min profit percent"), (percent) => `, which needs ${percent} %`)}`
    default:
      return `${words}${because(note, "level")}`
  }
}

/** "step 1 of 3 at 2 % profit", or the target of an alert's ladder. */
const steppedBy = (note: Note): string => {
  const number = reader(note)
  const what = note.reason === "tp" ? "target" : "step"
  const of = part(number("steps"), (count) => ` of ${count}`)
  const whose = note.reason === "tp" ? " of the alert's ladder" : ""
  const profit = part(number("step profit percent"), (percent) => ` at ${percent} % profit`)
  return `${what} ${number("step")}${of}${whose}${profit}${because(note, "from")}`
}

/** What a part leaves open. */
const leaving = (note: Note): string =>
  part(reader(note)("left"), (left) => `; ${left}${coinOf(note)} are left`)

const averagedBecause = (note: Note): string => {
  const number = reader(note)
  const average = note.numbers?.["average"]
  const away =
    average === undefined || note.price === undefined
      ? ""
      : `: ${share(distance(note.price, average))} ${behind(note)} the average ${figure(average)}`
  const most = part(number("most entries"), (count) => ` of ${count}`)
  const which = part(number("entry number"), (count) => `, extra entry ${count}${most}`)
  return `${away}${because(note, "the price reached the DCA level")}${which}`
}

const turned = (note: Note): string => {
  const extreme = note.numbers?.["extreme"]
  if (extreme === undefined || note.price === undefined) return because(note, "the trailing buy fires from")
  return `: ${share(distance(note.price, extreme))} ${beyond(note)} its ${best(note)} ${figure(extreme)}${because(note, "the trailing buy fires from")}`
}

const balanceBecause = (note: Note, side: "above" | "below"): string => {
  const number = reader(note)
  const trigger = part(number("trigger percent"), (percent) => `, ${percent} % ${side}`)
  return part(
    number("baseline"),
    (baseline) => `${trigger === "" ? ", from" : trigger} the baseline ${baseline}`
  )
}

/** Whether a decision buys or sells: opening a short sells. */
const verb = (note: Note, way: "entry" | "exit"): "buy" | "sell" =>
  (way === "entry") === (note.side !== "short") ? "buy" : "sell"

/** The verb of a fill; `reason` is the purpose of its order. */
const done = (note: Note): string =>
  verb(note, note.reason === "exit" ? "exit" : "entry") === "buy" ? "Bought" : "Sold"

/** The quantity with its coin. */
const amount = (note: Note): string =>
  `${part(reader(note)("quantity"), (quantity) => ` ${quantity}`)}${coinOf(note)}`

const coinOf = ({ market }: Note): string =>
  market === undefined ? "" : ` ${pairOf(market).split("/")[0] ?? ""}`

/** The rest of the order after a partial fill. A fee in the coin bought lessens what arrives. */
const remains = (note: Note): string => {
  const number = reader(note)
  return `${part(number("still ordered"), (rest) => `; ${rest} more are ordered`)}${part(number("ordered"), () => "; the order has ended")}${leaving(note)}`
}

const beyond = ({ side }: Note): string => (side === "short" ? "below" : "above")
const behind = ({ side }: Note): string => (side === "short" ? "above" : "below")
const best = ({ side }: Note): string => (side === "short" ? "highest price" : "lowest price")

/** The distance of a price from another, in percent of the other. */
const distance = (price: number, from: number): number => Math.abs((price / from - 1) * 100)

const because = (note: Note, what: string): string =>
  note.level === undefined ? "" : ` (${what} ${figure(note.level)})`

/** The numbers of a note as texts; percentages with two decimals. */
const reader =
  (note: Note) =>
  (name: string): string | undefined => {
    const value = note.numbers?.[name]
    if (value === undefined) return undefined
    return name.endsWith("percent") ? String(Number(value.toFixed(2))) : figure(value)
  }

const part = (text: string | undefined, words: (text: string) => string): string =>
  text === undefined ? "" : words(text)

const listed = (note: Note): string =>
  Object.entries(note.numbers ?? {})
    .map(([name, value], index) => `${index === 0 ? "; " : ", "}${plain(name)} ${figure(value)}`)
    .join("")

const share = (percent: number): string => `${Number(percent.toFixed(2))} %`
const plain = (text: string | undefined): string => (text ?? "").replaceAll("_", " ")
const pairOf = (market: string): string => market.split(":")[1] ?? market
const figure = (value: number): string => String(Number(value.toPrecision(10)))
