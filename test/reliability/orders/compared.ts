// An exchange that does something else than the back-test, by a known amount: `compare` has to explain all of it.
import type { Part } from "../../../src/trading/compare/Parts.ts"
import { must, until } from "../prices/until.ts"
import { type Act, type Case, each } from "./Case.ts"
import { compared, decided, firstOf, isNear, isOnly, pnlOf, within } from "./Comparing.ts"
import { equal } from "./compare.ts"
import { SOON_MS, Trader } from "./Trader.ts"

/** The prices of the first trade and of the second, which begins where the first ends. */
const [BOUGHT, TURNED, SOLD] = [100, 103, 96]
/** Where an exit is made that came to nothing at first. */
const LATER = 97
/** The stubs' fee (percent), and the one that a strategy expects by mistake. */
const CHARGED = 0.1
const EXPECTED = 0.05
/** How much worse than the quote orders are filled (quote). */
const WORSE = 0.2
/** How much can be traded where an entry and an exit are filled in part. */
const [ENTERED, LEFT] = [8, 3]
/** An exit that comes to nothing is tried again less and less often. */
const AGAIN_MS = 120_000

/** Worse prices and a higher fee than expected: the price's part is known beforehand, and the fees have the rest. */
export const slipped = (isShort: boolean): Case["run"] =>
  each(async (owner, world, coin) => {
    const trader = await trading([owner, world, coin], EXPECTED)
    trader.desk.book.slip(trader.slot, `${WORSE}`)
    await within(trader, BOUGHT, () => trader.open())
    await within(trader, TURNED, async () => {
      await trader.close()
      if (!isShort) await trader.open()
    })
    if (!isShort) await within(trader, SOLD, () => trader.close())
    await equal(trader)
    const view = await compared(trader, isShort ? 1 : 2)
    isOnly(view, ["price", "fees"])
    const { live, parts, test } = firstOf(view)
    const quantity = decided(trader)
    isNear("the test's result", test?.pnl, pnlOf(quantity, [BOUGHT, TURNED], EXPECTED))
    isNear("the part of the price", parts["price"], -2 * WORSE * quantity)
    const rest = (live?.pnl ?? 0) - (test?.pnl ?? 0) - (parts["price"] ?? 0)
    isNear("the part of the fees", parts["fees"], rest)
    if (!isPaidInCoin(trader)) {
      const turnover = quantity * (BOUGHT + TURNED)
      isNear("the part of the fees", parts["fees"], (-turnover * (CHARGED - EXPECTED)) / 100)
    }
    await trader.disarm()
    return undefined
  })

/** An entry that is turned down, and an exit that is turned down until the price is another. */
export const refused = (isShort: boolean): Case["run"] =>
  each(async (owner, world, coin) => {
    const trader = await trading([owner, world, coin], CHARGED)
    const { troubles } = trader.desk
    const about = trader.venue.concerns(trader.slot)
    await within(trader, BOUGHT, async () => {
      troubles.plan("place", { how: "refuse", flaw: "insufficient" }, 1, about)
      await trader.expect("buy", "opened")
      const isRefused = () => trader.isIdle && trader.orders[0]?.status === "rejected"
      await until("end of the entry that is refused", isRefused, SOON_MS)
    })
    await within(trader, TURNED, async () => {
      await trader.expect("sell", "no_position")
      if (!isShort) await trader.open()
    })
    if (!isShort) {
      troubles.plan("place", { how: "refuse", flaw: "closed_market" }, Number.POSITIVE_INFINITY, about)
      await within(trader, SOLD, () => trader.expect("sell", "closed"))
      await soldLater(trader, () => troubles.clear())
    }
    await equal(trader)
    const view = await compared(trader, isShort ? 1 : 2)
    isOnly(view, ordersOf(trader))
    const { live, main, parts } = firstOf(view)
    must(live === null && main === "orders", `the first trade is ${JSON.stringify(firstOf(view))}`)
    isNear("the part of orders", parts["orders"], -pnlOf(decided(trader), [BOUGHT, TURNED], CHARGED))
    await trader.disarm()
    return undefined
  })

/** An entry that is filled in part, and an exit of which the larger part is made at another price. */
export const partly = (isShort: boolean): Case["run"] =>
  each(async (owner, world, coin) => {
    const trader = await trading([owner, world, coin], CHARGED)
    const supply = (amount: number | undefined) =>
      trader.desk.book.supply(trader.slot, amount === undefined ? undefined : `${amount}`)
    await within(trader, BOUGHT, async () => {
      supply(ENTERED)
      await trader.open()
    })
    supply(undefined)
    await within(trader, TURNED, async () => {
      await trader.close()
      if (!isShort) await trader.open()
    })
    if (!isShort) {
      supply(LEFT)
      await within(trader, SOLD, () => trader.expect("sell", "closed"))
      await soldLater(trader, () => supply(undefined))
    }
    await equal(trader)
    const view = await compared(trader, isShort ? 1 : 2)
    isOnly(view, ordersOf(trader))
    const { live, main, parts } = firstOf(view)
    const entered = pnlOf(ENTERED, [BOUGHT, TURNED], CHARGED)
    must(main === "orders", `the first trade is mostly of ${main}`)
    isNear("the part of orders", parts["orders"], entered - pnlOf(decided(trader), [BOUGHT, TURNED], CHARGED))
    isNear("the part of the fees", parts["fees"], (live?.pnl ?? 0) - entered)
    await trader.disarm()
    return undefined
  })

const trading = async ([owner, world, coin]: Parameters<Act>, fee: number): Promise<Trader> => {
  const settings = { maker_fee: fee, taker_fee: fee }
  const trader = await Trader.make(world, owner, coin, { settings })
  owner.venue.publish(trader.slot)
  await world.streams(owner.venue)
  return trader
}

/** The exit that came to nothing so far is made at another price, in the next minute. */
const soldLater = async (trader: Trader, ends: () => void): Promise<void> => {
  const before = trader.trades.length
  await trader.moved(LATER)
  ends()
  await trader.closed(before + 1, AGAIN_MS)
}

/** Whether fees of purchases are taken from the coin that was bought. */
const isPaidInCoin = ({ base, theirs }: Trader): boolean => theirs.some(({ feeAsset }) => feeAsset === base)

/** The test pays fees in quote: one in the coin is worth more or less once the price has moved. */
const ordersOf = (trader: Trader): ReadonlyArray<Part> =>
  isPaidInCoin(trader) ? ["orders", "fees"] : ["orders"]
