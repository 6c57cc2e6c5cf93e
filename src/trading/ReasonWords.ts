// The English text of every recorded reason, as users read it on timelines and in back-tests, with the numbers that
// decided where there are any.
import type { Reason, ReasonFacts } from "../domain/Alert.ts"
import { utcText } from "../domain/internal/DateFormat.ts"

/** The text of a reason. `currency` is that of the strategy's money. */
export const wordsOf = (reason: Reason, facts: ReasonFacts = {}, currency = ""): string =>
  numbered(reason, new Figures(facts, currency)) ?? WORDS[reason]

/** Reads the numbers of a reason. */
class Figures {
  readonly #facts: ReasonFacts
  readonly #currency: string

  constructor(facts: ReasonFacts, currency: string) {
    this.#facts = facts
    this.#currency = currency
  }

  /** A number; undefined where there is none. */
  number(name: string): number | undefined {
    const value = this.#facts[name]
    return typeof value === "number" && Number.isFinite(value) ? value : undefined
  }

  /** A part of a sentence around a number or text, empty where there is none. */
  part(name: string, words: (text: string) => string): string {
    const value = this.#facts[name]
    return value === undefined ? "" : words(String(value))
  }

  /** As `part`, with the currency behind the number. */
  money(name: string, words: (text: string) => string): string {
    return this.part(name, (text) => words(this.#currency === "" ? text : `${text} ${this.#currency}`))
  }

  has(...names: ReadonlyArray<string>): boolean {
    return names.every((name) => this.#facts[name] !== undefined)
  }
}

/** The sentence with its numbers; undefined where they are missing, as in entries of older versions. */
const numbered = (reason: Reason, of: Figures): string | undefined => {
  switch (reason) {
    case "below_min_profit":
      return of.has("profit_percent", "min_profit_percent", "price") ? profitText(of) : undefined
    case "bad_target":
      return of.has("price") && (of.has("tp") || of.has("sl")) ? targetText(of) : undefined
    case "below_min_notional":
      return of.has("value", "quantity")
        ? `ignored, the order would be smaller than the market's minimum: it would be worth ${of.money("value", same)}, and the least is ${of.money("min_value", same)} and ${of.part("min_quantity", same)} of the coin`
        : undefined
    case "over_max_order":
      return of.has("cost", "max_order")
        ? `ignored, the order would be larger than the strategy was armed for: it would cost ${of.money("cost", same)} with its fee, and the most is ${of.money("max_order", same)}`
        : undefined
    case "already_open":
      return of.has("entries", "most_entries")
        ? `ignored, a position is open already, with entry ${of.part("entries", same)} of at most ${of.part("most_entries", same)} by alert`
        : undefined
    case "pending_entry":
      return of.has("waiting_alert")
        ? `ignored, the entry of ${of.part("waiting_alert", (id) => `alert ${id}`)} is waiting already`
        : undefined
    case "opposite_position":
      return of.has("side", "quantity")
        ? `ignored, a position in the other direction is open: ${of.part("quantity", same)} ${of.part("side", same)}`
        : undefined
    case "insufficient_balance":
      return of.has("free_cash")
        ? `ignored, there is no free cash for it: ${of.money("free_cash", same)} are free`
        : undefined
    default:
      return timed(reason, of)
  }
}

/** Reasons of time, of currencies, and of the day's loss. */
const timed = (reason: Reason, of: Figures): string | undefined => {
  switch (reason) {
    case "cooldown":
      return of.has("until", "minutes_left")
        ? `ignored, the strategy is cooling down after a balance rule until ${utcText(of.number("until") ?? 0)}, for ${of.part("minutes_left", same)} min more`
        : undefined
    case "stale":
      return of.has("age_seconds", "most_seconds")
        ? `ignored, it came too long ago to enter now: it was ${of.part("age_seconds", same)} s old, and the most is ${of.part("most_seconds", same)} s`
        : undefined
    case "no_price":
      return of.has("waited_seconds", "most_seconds")
        ? `ignored, no fresh price came in time: it waited ${of.part("waited_seconds", same)} s, and the most is ${of.part("most_seconds", same)} s`
        : undefined
    case "quote_not_default":
      return of.has("quote", "currency")
        ? `ignored, the pair is quoted in ${of.part("quote", same)}, and the strategy's default currency is ${of.part("currency", same)}`
        : undefined
    case "no_stop":
      return of.has("risk_percent")
        ? `ignored, the strategy sizes entries by their stop, to risk ${of.part("risk_percent", same)} % of the equity, and this one has none`
        : undefined
    case "daily_loss":
      return of.has("most")
        ? `ignored, the strategy has lost as much today as it may: ${of.money("lost", (lost) => `${lost} of `)}${of.money("most", same)}`
        : undefined
    default:
      return undefined
  }
}

const same = (text: string): string => text

const profitText = (of: Figures): string => {
  const profit = of.number("profit_percent") ?? 0
  const made = profit < 0 ? `lose ${rounded(-profit)} %` : `make ${rounded(profit)} %`
  const needed = of.part("needed_price", (price) => `, which is reached at ${price}`)
  return `ignored, closing now at ${of.part("price", same)} would ${made}, and the minimum profit is ${of.part("min_profit_percent", same)} %${needed}`
}

const targetText = (of: Figures): string => {
  const wrong = ["tp", "sl"].flatMap((name) => (of.has(name) ? [`${name} ${of.part(name, same)}`] : []))
  return `ignored, its ${wrong.join(" and its ")} ${wrong.length === 1 ? "lies" : "lie"} on the wrong side of the price ${of.part("price", same)}`
}

const rounded = (percent: number): string => String(Number(percent.toFixed(2)))

/** Why something was not done: the text of a reason without "ignored", or the name of a code that is none. */
export const causeOf = (code: string | undefined): string =>
  isReason(code) ? WORDS[code].replace(/^ignored, /, "") : (code ?? "").replaceAll("_", " ")

const isReason = (code: string | undefined): code is Reason =>
  code !== undefined && Object.hasOwn(WORDS, code)

const WORDS: Readonly<Record<Reason, string>> = {
  opened: "an entry is ordered",
  added: "another entry is ordered",
  turned: "the other side is being closed, and this one is opened",
  reduced: "a part of the position is being closed",
  trailing_buy_armed: "the entry waits for the price to turn",
  entry_cancelled: "the waiting entry is cancelled",
  closed: "the position is being closed",
  targets_updated: "the position has new targets",
  already_open: "ignored, a position is open already",
  pending_entry: "ignored, an entry is waiting already",
  no_position: "ignored, there is no position to close",
  opposite_position: "ignored, a position in the other direction is open",
  below_min_profit: "ignored, closing now would make less than the minimum profit",
  pair_not_listed: "ignored, the strategy does not list this pair, or its exchange has no such market",
  quote_not_default: "ignored, the pair is not quoted in the strategy's default currency",
  bad_target: "ignored, its tp or sl lies on the wrong side of the price",
  market_closed_for_buying: "ignored, the market is closed for buying",
  below_min_notional: "ignored, the order would be smaller than the market's minimum",
  insufficient_balance: "ignored, there is no free cash",
  cooldown: "ignored, the strategy is cooling down after a balance rule",
  strategy_inactive: "ignored, the strategy is not active",
  stale: "ignored, it came too long ago to enter now",
  zero_buy_percentage: "ignored, the strategy's buy percentage is 0",
  no_stop: "ignored, the strategy sizes entries by their stop, and this one has none",
  perpetual_in_use:
    "ignored, another armed strategy has a position or an order on this perpetual of the exchange account, and the two would net out there",
  no_price: "ignored, no fresh price came in time",
  halted: "ignored, entries are halted",
  disarming: "ignored, the strategy is being disarmed and enters nothing more",
  daily_loss: "ignored, the strategy has lost as much today as it may",
  over_max_order: "ignored, the order would be larger than the strategy was armed for",
  vetoed: "ignored, this server's own decisions are against it",
  astray: "ignored, the exchange holds less of it than the books say, and the strategy does nothing there",
  set_aside: "ignored, the strategy's bot is set aside until it has new settings",
  pending_exit: "ignored, a closing alert for the position waits already",
  too_many:
    "ignored, the account's strategies have had as many alerts today as they may; closing alerts go on"
}
