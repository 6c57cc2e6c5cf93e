// Whether every fill was at a good quote of its time, and whether the books are right.
import * as Schema from "effect/Schema"
import { Fill } from "../../../src/domain/Fill.ts"
import { Order } from "../../../src/domain/Order.ts"
import { audit } from "../Books.ts"
import { command } from "../Program.ts"
import { each } from "./Case.ts"
import { AT_MOST_MS, unfair } from "./fair.ts"
import { must } from "./until.ts"
import type { Venue } from "./Venue.ts"
import type { World } from "./World.ts"

/** Checks that every fill at an exchange was at a good quote of its time. */
export const fair = each(async (venue, world) => {
  const [flaw] = unfairOf(venue, world)
  must(flaw === undefined, flaw ?? "")
  return undefined
})

const unfairOf = (venue: Venue, world: World): ReadonlyArray<string> => {
  const rows = world.rows((it) => it.all(Row, SQL))
  // A strategy that is deleted closes at the last price seen, however old.
  const fills = rows.filter(
    ({ fill, intent }) => fill.exchange === venue.name && intent.exitReason !== "strategy_deleted"
  )
  return unfair(
    venue,
    fills.map(({ fill }) => fill),
    AT_MOST_MS
  )
}

const Row = Schema.Struct({ fill: Schema.parseJson(Fill), intent: Schema.parseJson(Order) })
const SQL = "SELECT f.fill, o.intent FROM fills f JOIN orders o ON o.id = f.fill ->> 'order'"

/** Verifies the books from the rows, and with the program's own command. */
export const booked = async (world: World): Promise<ReadonlyArray<string>> => {
  const { flaws } = world.rows(audit)
  const verified = await command(["verify", "--db", world.db])
  return verified.exitCode === 0 ? flaws : [...flaws, `verify: ${verified.stdout.slice(0, 300)}`]
}
