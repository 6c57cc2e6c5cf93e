// Types and words of a strategy's page.
import type { Answer } from "../wire.ts"

/** A strategy with everything on its page. */
export type Board = Answer<"dashboard", "strategy">
export type Position = Board["positions"][number]
export type Level = Position["levels"][number]
export type Waiting = Board["armed"][number]

/** A market's name, which tells a perpetual from spot. */
export const marketOf = ({ exchange, pair, kind }: Pick<Position, "exchange" | "pair" | "kind">): string =>
  `${pair}${kind === "swap" ? " perpetual" : ""} on ${exchange}`

const LEVELS: Readonly<Record<Level["rule"], string>> = {
  stop_loss: "Stop loss",
  sl: "Stop (alert)",
  break_even: "Break even",
  take_profit: "Take profit",
  tp: "Target (alert)",
  trailing_arm: "Trail arms",
  trailing_sell: "Trail",
  dca: "Next DCA",
  liquidation: "Liquidation",
  trailing_buy: "Buys"
}
export const levelTitle = (rule: Level["rule"]): string => LEVELS[rule]

/** A level's title, with its place where it is a step: "Step 2 of 3", "Target 1 of 2 (alert)". */
export const levelName = ({ rule, step }: Pick<Level, "rule" | "step">): string => {
  if (step === null) return levelTitle(rule)
  const place = step.count === 1 ? "" : ` ${step.number} of ${step.count}`
  return rule === "tp" ? `Target${place} (alert)` : `Step${place}`
}

/** The colour of a level: profit, loss, or an entry. */
export const levelTone = (rule: Level["rule"]): "good" | "bad" | "warn" | "accent" => {
  switch (rule) {
    case "take_profit":
    case "tp":
    case "trailing_arm":
      return "good"
    case "stop_loss":
    case "sl":
    case "liquidation":
      return "bad"
    case "trailing_sell":
    case "break_even":
      return "warn"
    case "dca":
    case "trailing_buy":
      return "accent"
  }
}

const EXITS: Readonly<Record<string, string>> = {
  sl: "Stop price of the alert",
  tp: "Target price of the alert",
  signal: "Closing alert"
}
/** The title of an exit reason. */
export const exitTitle = (reason: string): string => {
  const text = (EXITS[reason] ?? reason).replaceAll("_", " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}
