// Compares what the people's strategies did without and with neighbours: the neighbours must change nothing.
import * as Decimal from "../../src/domain/Decimal.ts"
import { marketKey } from "../../src/domain/Market.ts"
import { Books } from "./Books.ts"
import type { People } from "./People.ts"
import type { Violation, World } from "./World.ts"

/** One action of a strategy, as text, with its time (ms). */
interface Deed {
  readonly what: string
  readonly at: number
}

/**
 * What each strategy of the people did, by its name and market: orders and fills in their order; and the outcomes of
 * alerts. Of what happens on two markets at one moment either may be written down first.
 */
export type History = ReadonlyMap<string, ReadonlyArray<Deed>>

/** How much later the same may happen beside neighbours, as documented (ms). */
const LATER_MS = 250

/** What the people's strategies did. Ids are left out, because neighbours use up ids. */
export const historyOf = (world: World, people: People): History => {
  const books = new Books(world.disk)
  const keys = new Map(people.keyed.map(({ answered, key }) => [answered, key]))
  const outcomes = world.disk.rows<{ alert: number; strategy: number; reason: string; at: number }>(
    "SELECT alert_id AS alert, strategy_id AS strategy, reason, at FROM outcomes ORDER BY alert_id"
  )
  const deeds = [
    ...books.orders("ORDER BY sequence").map(({ order, strategy }) => ({
      ...{ strategy, place: marketKey(order), at: order.at },
      what: `${order.purpose} ${order.side} ${Decimal.toText(order.quantity)} ${order.pair} ${order.kind} ${order.type} at ${order.price} ${order.exitReason ?? ""}`
    })),
    ...books.fills().map(({ fill, strategy }) => ({
      ...{ strategy, place: marketKey(fill), at: fill.at },
      what: `fill ${fill.side} ${Decimal.toText(fill.quantity)} ${fill.pair} ${fill.kind} at ${fill.price}, fee ${Decimal.toText(fill.fee)}`
    })),
    ...outcomes.flatMap(({ alert, at, reason, strategy }) => {
      const key = keys.get(alert)
      return key === undefined ? [] : [{ strategy, place: "alerts", at, what: `alert ${key} ${reason}` }]
    })
  ]
  const own = deeds.filter(({ strategy }) => world.names.has(strategy))
  return Map.groupBy(own, ({ place, strategy }) => `${world.names.get(strategy)} ${place}`)
}

/**
 * The first thing that somebody did otherwise because there were neighbours. The rule: on each market a strategy has to
 * send the same orders in the same order (side, size, type, price and reason) and get the same fills (size, price, fee),
 * and to answer each alert the same; each at most `LATER_MS` later. Both worlds are even (see `Pace`), so that prices, alerts
 * and answers come at the same moments, and chance is drawn by name (see `Chance`), so that orders meet the same luck.
 */
export const differenceOf = (alone: History, among: History): Violation | undefined => {
  for (const name of new Set([...alone.keys(), ...among.keys()])) {
    const without = alone.get(name) ?? []
    const deeds = among.get(name) ?? []
    for (let place = 0; place < Math.max(without.length, deeds.length); place++) {
      const [one, other] = [without[place], deeds[place]]
      if (one === undefined || other === undefined || one.what !== other.what || other.at - one.at > LATER_MS)
        return {
          invariant: "N1",
          text: `with neighbours ${name} did "${told(other)}", without them "${told(one)}"`
        }
    }
  }
  return undefined
}

const told = (deed: Deed | undefined): string =>
  deed === undefined ? "nothing more" : `${deed.what} (${deed.at})`
