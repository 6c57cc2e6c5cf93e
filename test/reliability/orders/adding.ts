// An entry that an alert adds to an open position: an order of its own id, which ends in every way, and the stop at the
// exchange grows with the position.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { must, until } from "../prices/until.ts"
import { type Case, each } from "./Case.ts"
import { equal } from "./compare.ts"
import { ENDED_MS, type End, endedSo, offered } from "./ends.ts"
import { type Ending, endings, held, isCovered } from "./following.ts"
import { rested, resting } from "./stops.ts"
import { SOON_MS, Trader } from "./Trader.ts"

const SETTINGS = { stop_loss: true, stop_loss_percentage: 10, max_entries: 2 }
/** How close the price of an added entry's fill is to that of the first. */
const NEAR = 0.01

/** The second entry ends so; where nothing came of it another is added, and then there are as many as there may be. */
const adding: Ending = async (owner, world, coin, end) => {
  const trader = await Trader.make(world, owner, coin, { settings: SETTINGS, terms: { isProtected: true } })
  await world.streams(owner.venue)
  await trader.open(ENDED_MS)
  const stop = await rested(trader, 90)
  const before = held(trader)
  end.plan(trader, 1)
  await trader.expect("buy", "added")
  await offered(end, trader)
  const isMade = end.status === undefined && end.isSlow !== true
  if (isMade) await until("larger position", () => isLarger(trader, before), ENDED_MS)
  else await refused(trader, before, end)
  trader.desk.book.supply(trader.slot, undefined)
  endedSo(end, trader)
  await until("a stop for all of it", () => trader.isIdle && isCovered(trader), ENDED_MS)
  sentOnce(trader, 2)
  const ids = entriesOf(trader).map(({ order }) => order.alert)
  must(new Set(ids).size === 2, `the entries are of the alerts ${ids.join(", ")}`)
  if (isMade) must(resting(trader)[0]?.id !== stop.id, "the stop that rests is still the first one")
  else {
    await trader.expect("buy", "added")
    await until("larger position", () => isLarger(trader, before), ENDED_MS)
    await until("a stop for all of it", () => isCovered(trader), ENDED_MS)
    sentOnce(trader, 3)
  }
  await full(trader)
  const trade = await trader.close(ENDED_MS)
  must(trade.entries === 2, `the trade has ${trade.entries} entries`)
  must(resting(trader).length === 0, "a stop rests on, though there is no position")
  await equal(trader)
  await trader.disarm()
}

const isLarger = (trader: Trader, before: Decimal.Decimal): boolean =>
  trader.isIdle && Decimal.greaterThan(held(trader), before)

/** The timeline says why nothing came of the entry, and the position is what it was. */
const refused = async (trader: Trader, before: Decimal.Decimal, { isSlow }: End): Promise<void> => {
  const why = isSlow === true ? /^order_missing/ : /^order_rejected/
  const isNoted = async () => (await trader.told()).some((text) => why.test(text))
  await until("why nothing was added on the timeline", isNoted, ENDED_MS, 500)
  await until("the end of the order", () => trader.isIdle, SOON_MS)
  must(Decimal.equals(held(trader), before), `${Decimal.toText(held(trader))} are held, not what was before`)
}

const entriesOf = ({ orders }: Trader) => orders.filter(({ order }) => order.purpose === "entry")

/** Each entry has an id of its own, and was sent to the exchange once. */
const sentOnce = (trader: Trader, count: number): void => {
  const ids = entriesOf(trader).map(({ clientId }) => clientId)
  must(ids.length === count && new Set(ids).size === count, `${ids.length} entries, not ${count}`)
  for (const id of ids) {
    const sent = trader.desk.calls.filter(
      ({ kind, request }) => kind === "place" && `${request.target} ${request.body}`.includes(id)
    )
    must(sent.length === 1, `an entry was sent ${sent.length} times`)
  }
}

/** There are as many entries as there may be: another alert changes nothing. */
const full = async (trader: Trader): Promise<void> => {
  const before = held(trader)
  const sent = trader.count("place")
  await trader.expect("buy", "already_open")
  must(
    trader.isIdle && trader.count("place") === sent,
    "an order was sent though there may be no more entries"
  )
  must(Decimal.equals(held(trader), before), "the position has changed")
  const average = Decimal.toNumber(trader.position?.basis ?? Decimal.zero) / Decimal.toNumber(before)
  must(Math.abs(average / 100 - 1) < NEAR, `the average is ${average}`)
}

/** Entries added by alert. */
export const added = (isShort: boolean): Case["run"] => each(endings(isShort, adding))
