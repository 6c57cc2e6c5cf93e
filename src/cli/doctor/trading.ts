// Checks whether any bot could buy: a strategy without signal, pair or money does nothing, and nobody tells its owner.
import type { Tradeable } from "../../sqlite/readers/Tradeable.ts"
import { plain } from "../program/table.ts"
import { type Check, ok, type Say, warn } from "./Check.ts"

/** The most strategies that get a check of their own. */
const MOST = 20
const GUIDE = "see /guide/bots on the server, or the page bots of the guide"

/** One check for each active strategy that cannot buy, and one for those that can; none without strategies. */
export const trading = (
  strategies: ReadonlyArray<Tradeable>,
  now: number,
  say: Say
): ReadonlyArray<Check> => {
  if (strategies.length === 0) return []
  const active = strategies.filter(({ active }) => active)
  if (active.length === 0)
    return [
      warn("bots", "no strategy is active: none buys anything", `switch one on in the dashboard; ${GUIDE}`)
    ]
  const idle = active.flatMap((strategy) => {
    const why = hindranceOf(strategy, now)
    return why === undefined ? [] : [{ strategy, why }]
  })
  const able = active.length - idle.length
  return [
    ...idle
      .slice(0, MOST)
      .map(({ strategy: { id, name }, why: [text, advice] }) =>
        warn("bots", `strategy ${id}, ${plain(name)}, buys nothing: ${text}`, `${advice}; ${GUIDE}`)
      ),
    ...(idle.length > MOST
      ? [warn("bots", `${idle.length - MOST} more strategies buy nothing`, say("strategy list"))]
      : []),
    ...(able === 0
      ? []
      : [
          ok(
            "bots",
            `${able} of ${active.length} active ${active.length === 1 ? "strategy" : "strategies"} would buy with the next alert, if a price is there`
          )
        ])
  ]
}

/** Why a strategy buys nothing, and what to do; undefined where nothing stored keeps it from buying. */
const hindranceOf = (
  { account, buyPercent, coolsUntil, halted, hasCash, setAside, signalActive, signalId }: Tradeable,
  now: number
): readonly [string, string] | undefined => {
  if (signalId === null) return ["it follows no signal", "choose one in its settings"]
  if (!signalActive) return ["its signal is switched off", `switch signal ${signalId} on`]
  if (setAside) return ["it is set aside", "change its settings"]
  if (halted) return [`entries of ${plain(account)} are halted`, "end the halt: signalbox resume"]
  if (buyPercent === 0) return ["its buy_percentage is 0", "set one above 0"]
  if (!hasCash) return ["it has no money left", "close a position, or make it anew"]
  if (coolsUntil > now) return ["it cools down after a rule for the balance", "wait, or change the rule"]
  return undefined
}
