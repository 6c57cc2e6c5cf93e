// What a tick costs the live engine's search for the bots concerned, and the decisions of those.

import { indexed, TICKS } from "../live.ts"
import { rewinding, ticksOf, worldOf } from "../liveWorld.ts"
import type { Costs } from "./Costs.ts"
import { byTurns, type Rules, scaled } from "./Samples.ts"

const TURNS = 4

const RULES: Rules = [
  ["looked at: the index of windows", /watch\/(?:WindowIndex|PriceBand)\.ts#(?!put|drop)/],
  ["written: a window into the index", /watch\/(?:WindowIndex|PriceBand)\.ts/],
  ["looked at: the windows of a bot, made anew after it decided", /trading\/Watch\.ts/],
  ["looked at: levels of the rules", /trading\/rules\/|trading\/Prices\.ts/],
  ["decided: alerts, sizes and orders", /trading\/(?:bot\/|Bot|Routing|Sizing|Risk|Decision|EntryOutlook)/],
  ["written: fills, fees, positions, ledger", /trading\/books\/|domain\/(?:Fill|Order|Position|Trade)\.ts/],
  ["exact decimals", /domain\/Decimal\.ts|BigDecimal|bigDecimal/],
  ["the other nouns", /src\/(?:domain|trading)\//],
  ["the loop of the bench: ticks, quotes, fills", /test\/bench\/|test\/trading\//]
]

export const tick = async (): Promise<Costs> => {
  const ticks = ticksOf(TICKS)
  const rewind = rewinding(worldOf(TICKS))
  const start = () => {
    const world = rewind()
    return () => {
      indexed(world, ticks)
      return TICKS.ticks
    }
  }
  start()()
  return {
    name: "live",
    what: "one tick of 4,000,000 on 500 pairs with 10,000 bots",
    unit: "ns",
    ...scaled(await byTurns(RULES, TURNS, start), 1e6)
  }
}
