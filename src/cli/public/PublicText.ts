// What is public, as text for a terminal. Names come from strangers: each is one line of bounded length.
import type {
  PublicSignalView,
  PublicStrategyDetail,
  PublicStrategyView
} from "../../api/directory/PublicViews.ts"
import { columns, moment, plain } from "../program/table.ts"

/** The most letters of a stranger's text in a line. */
const MOST = 40

/** A stranger's text in at most `most` letters, without characters that move the cursor or turn the line around. */
const foreign = (text: string, most: number = MOST): string => {
  const letters = [...plain(text)]
  return letters.length > most ? `${letters.slice(0, most - 3).join("")}...` : letters.join("")
}

const publisher = ({ name, number }: PublicStrategyView["publisher"]): string =>
  `${foreign(name)} (${number})`

type Standings = PublicStrategyView["record"]["overall"]

const standings = ({ paper, real }: Standings): string => {
  const made = (mode: string, of: Standings["paper"]) =>
    of === null ? [] : [`${signed(of.return_pct)} % ${mode} in ${counted(of.trades, "trade")}`]
  const all = [...made("real", real), ...made("paper", paper)]
  return all.length === 0 ? "no trade yet" : all.join(", ")
}

const signed = (value: number): string => `${value > 0 ? "+" : ""}${value.toFixed(2)}`
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** How long the record is that counts for the sorting. */
const LEVELS = ["short record", "over 30 days", "over 90 days", "over a year"]
const level = (of: number): string => LEVELS[of] ?? ""

/** A table of public strategies. */
export const strategies = (all: ReadonlyArray<PublicStrategyView>): string =>
  all.length === 0
    ? "No public strategy is like that."
    : columns(
        ["id", "published by", "trades", "since published", "record", "published", "copies", "name"],
        all.map(({ copies, name, publisher: by, record, strategy_id }) => [
          String(strategy_id),
          publisher(by),
          record.mode,
          standings(record.since_publication),
          level(record.level),
          `${counted(record.age_days, "day")} ago`,
          String(copies),
          foreign(name)
        ])
      )

/** A table of public signals. */
export const signals = (all: ReadonlyArray<PublicSignalView>): string =>
  all.length === 0
    ? "No public signal is like that."
    : columns(
        ["id", "published by", "published", "followers", "name"],
        all.map(({ age_days, followers, id, name, publisher: by }) => [
          String(id),
          publisher(by),
          `${counted(age_days, "day")} ago`,
          String(followers),
          foreign(name)
        ])
      )

/** The lines about a public signal. */
export const signal = (of: PublicSignalView): string =>
  [
    `Signal ${of.id}, ${foreign(of.name)}, published by ${publisher(of.publisher)}`,
    ...(of.description === "" ? [] : [foreign(of.description, 120)]),
    publishedLine(of),
    `${counted(of.followers, "other account")} ${of.followers === 1 ? "follows" : "follow"} it.`,
    `To follow it, set signal_id of a strategy to ${of.id}.`
  ].join("\n")

type Publication = Pick<
  PublicSignalView,
  "age_days" | "first_published_at" | "published_at" | "times_published"
>

const publishedLine = (of: Publication): string =>
  `First published ${moment(of.first_published_at)} UTC, ${counted(of.age_days, "day")} ago${of.times_published > 1 ? `; published ${of.times_published} times, the last time ${moment(of.published_at)} UTC` : ""}.`

/** The lines about a public strategy: its record, its periods and its markets. */
export const strategy = (of: PublicStrategyDetail): string => {
  const { figures, periods, record } = of
  return [
    `Strategy ${of.strategy_id}, ${foreign(of.name)}, published by ${publisher(of.publisher)}`,
    ...(of.description === "" ? [] : [foreign(of.description, 500)]),
    `Trades ${record.mode === "real" ? "with real money" : "on paper"} since ${moment(record.since)} UTC, with these settings since ${moment(record.settings_since)} UTC.`,
    publishedLine(record),
    `Since published: ${standings(record.since_publication)} (${level(record.level)}).`,
    `All trades: ${standings(record.overall)}.`,
    ...(record.open_pct === null ? [] : [`Open positions: ${signed(record.open_pct)} %.`]),
    `Largest drawdown of this period, with open positions: ${figures.max_drawdown_pct.toFixed(2)} %.`,
    followedLine(of),
    `Markets: ${of.exchanges.map(({ coin_pairs, exchange_name }) => `${exchange_name} ${coin_pairs.join(", ")}`).join("; ")}`,
    "",
    periods.length === 0 ? "No trade was completed yet." : periodTable(of)
  ].join("\n")
}

const followedLine = ({ follows_signal, signal }: PublicStrategyDetail): string => {
  if (signal !== null) return `It follows public signal ${signal.id}, ${foreign(signal.name)}.`
  return follows_signal
    ? "It follows a private signal, which does not come along with a copy."
    : "It follows no signal."
}

const periodTable = ({ periods, record }: PublicStrategyDetail): string =>
  columns(
    ["period", "on", "began (UTC)", "last trade", "trades", "return", "drawdown", "published"],
    periods.map((of) => [
      String(of.period),
      `${of.mode}, ${of.currency}`,
      moment(of.since),
      moment(of.until),
      String(of.trades),
      `${signed(of.return_pct)} %`,
      `${of.max_drawdown_pct.toFixed(2)} %`,
      placeOf(of, record.first_published_at)
    ])
  )

const placeOf = (
  { since, until }: { readonly since: number; readonly until: number },
  first: number
): string => (until < first ? "after its trades" : since >= first ? "before it" : "within it")
