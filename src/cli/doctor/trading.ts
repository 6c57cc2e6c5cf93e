// Checks whether bots could buy now: a line for each active strategy, with the reason where it buys nothing. A strategy
// that somebody has to mend before it buys is a failure; one that waits, or was stopped on purpose, is a warning.
import * as Option from "effect/Option"
import { type StartingBalances, startingBalanceOf } from "../../domain/Bot.ts"
import type { Facts, Tradeable } from "../../sqlite/readers/Tradeable.ts"
import { start } from "../../trading/Bot.ts"
import { plain } from "../program/table.ts"
import { type Check, fail, GUIDE, ok, warn } from "./Check.ts"
import { type Hindrance, type Outlook, outlookOf, shown, stateOf, type World } from "./outlook.ts"

/** The most strategies that get a line of their own, and the most pairs that are named in it. */
const MOST = 20
const MOST_PAIRS = 3

/** The surroundings, and the paper balances that new bots start with. */
export interface Surroundings extends Omit<World, "catalogue" | "prices"> {
  readonly paper: StartingBalances
  /** Strategies that have a failure already: their real money cannot be used. */
  readonly broken: ReadonlySet<number>
}

/** One check for each active strategy, those with a problem first; none without strategies. */
export const trading = (facts: Facts, surroundings: Surroundings): ReadonlyArray<Check> => {
  if (facts.strategies.length === 0) return []
  const checks = facts.strategies.flatMap((strategy) => checksOf(strategy, { ...facts, ...surroundings }))
  const { broken, say } = surroundings
  if (checks.length === 0)
    return broken.size > 0
      ? []
      : [
          warn(
            "bots",
            "no strategy is active: none buys anything",
            "switch one on in the dashboard",
            GUIDE.inactive
          )
        ]
  const sorted = [...checks].sort((one, other) => RANK[one.level] - RANK[other.level])
  const rest = sorted.slice(MOST)
  const [worst] = rest
  if (worst === undefined) return sorted
  const text = `${rest.length} more lines about strategies are left out`
  const advice = `mend these first; all strategies: ${say("strategy list")}`
  const more = worst.level === "FAIL" ? fail : warn
  return [
    ...sorted.slice(0, MOST),
    worst.level === "ok" ? ok("bots", text) : more("bots", text, advice, worst.guide)
  ]
}

const RANK = { FAIL: 0, warn: 1, ok: 2 } as const

const checksOf = (strategy: Tradeable, surroundings: Surroundings & World): ReadonlyArray<Check> => {
  const { broken, paper, say } = surroundings
  const { id, settings } = strategy
  if (broken.has(id)) return []
  const unreadable = fail(
    "bots",
    `strategy ${id} cannot be read by this program`,
    `start the server, which migrates the database; else: ${say("verify")}`,
    GUIDE.upgrades
  )
  if (Option.isNone(settings)) return [unreadable]
  const { active, name, quote } = settings.value
  if (!active) return []
  const state = stateOf(strategy, start(quote, startingBalanceOf(paper, quote)))
  if (Option.isNone(state)) return [unreadable]
  const outlook = outlookOf(strategy, settings.value, state.value, surroundings)
  const open = Object.values(state.value.slots).filter(({ position }) => position !== undefined).length
  return lines(`strategy ${id}, ${plain(name)},`, outlook, { quote, open })
}

/** What it buys, if anything; and a line for what keeps it from buying, which is a failure where it buys nothing. */
const lines = (
  who: string,
  { buys, hindrances, invested }: Outlook,
  { open, quote }: { readonly quote: string; readonly open: number }
): ReadonlyArray<Check> => {
  const [first] = buys
  const pairs = buys.length === 1 ? "1 pair" : `each of ${buys.length} pairs`
  const well =
    first !== undefined
      ? [
          ok(
            "bots",
            `${who} would buy ${shown(first)} ${quote} of ${pairs} with the next alert, if a price is there`
          )
        ]
      : invested > 0
        ? [ok("bots", `${who} is invested (${open} open): it buys again once something is closed`)]
        : []
  return [...well, ...problem(who, hindrances, well.length > 0)]
}

const problem = (
  who: string,
  hindrances: ReadonlyArray<Hindrance>,
  buysElse: boolean
): ReadonlyArray<Check> => {
  const [first] = hindrances
  if (first === undefined) return []
  const texts = [...new Set(hindrances.map(({ text }) => text))]
  const more = texts.length > MOST_PAIRS ? `; and ${texts.length - MOST_PAIRS} more` : ""
  const reasons = `${texts.slice(0, MOST_PAIRS).join("; ")}${more}`
  const text = `${who} ${buysElse ? "never buys some of its pairs" : "buys nothing"}: ${reasons}`
  const isFailure = !buysElse && hindrances.every(({ passes }) => !passes)
  return [(isFailure ? fail : warn)("bots", text, first.advice, first.guide)]
}
