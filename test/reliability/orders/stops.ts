// Protective stops at the exchange: placed, moved, cancelled before an exit, and filled while the server is down.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type * as Stub from "../../exchanges/private/Order.ts"
import { result } from "../prices/Case.ts"
import { must, until } from "../prices/until.ts"
import { type Case, coinOf, each } from "./Case.ts"
import { equal } from "./compare.ts"
import { Trader } from "./Trader.ts"

const STOP = { stop_loss: true, stop_loss_percentage: 4 }
const DCA = {
  ...{ strategy_dca_switch: true, dca_aftertime: 0, dca_maxretries: 1 },
  ...{ dca_percentagetrigger: 2, dca_ordersize: 50 }
}

/** The orders that rest at the exchange. */
export const resting = ({ theirs }: Trader): ReadonlyArray<Stub.Order> =>
  theirs.filter(({ isDone, ticket }) => !isDone && ticket.trigger !== undefined)

/** Waits until one stop rests at the exchange, about this level and of the position's size. */
export const rested = async (trader: Trader, level: number): Promise<Stub.Order> => {
  const isThere = () => {
    const [stop, ...more] = resting(trader)
    const at = stop?.ticket.trigger?.price
    return (
      more.length === 0 && at !== undefined && Math.abs(Decimal.toNumber(at) - level) < 0.15 && trader.isIdle
    )
  }
  await until(`one stop about ${level}`, isThere, 30_000)
  const [stop] = resting(trader)
  if (stop === undefined) throw new Error("the stop is gone")
  must(
    Decimal.equals(stop.amount, trader.position?.quantity ?? Decimal.zero) ||
      Decimal.toNumber(Decimal.subtract(trader.position?.quantity ?? Decimal.zero, stop.amount)) < 0.2,
    "the stop is not of the position's size"
  )
  return stop
}

/** The stop is placed with the position, moves with the bot's level, and is cancelled before any other exit. */
export const protective = each(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin, {
    settings: { ...STOP, ...DCA },
    terms: { isProtected: true }
  })
  await world.streams(owner.venue)
  await trader.open()
  await rested(trader, 96)
  trader.move(97.5)
  await until("averaging", () => (trader.position?.entries ?? 0) === 2 && trader.isIdle, 30_000)
  await rested(trader, 95.2)
  await trader.expect("sell", "closed")
  await trader.closed(1, 30_000)
  must(resting(trader).length === 0, "the stop rests on, though there is no position")
  await equal(trader)
  await trader.moved(100)
  await trader.open()
  await rested(trader, 96)
  trader.move(95)
  const trade = await trader.closed(2, 30_000)
  must(trade.exitReason === "stop_loss", `closed by ${trade.exitReason}`)
  must(resting(trader).length === 0, "a stop rests on")
  await equal(trader)
  await trader.disarm()
  return undefined
})

/** The stop triggers while no server runs, and its fills count at the next start. */
export const alone: Case["run"] = async (world, number) => {
  const held = await Promise.all(
    world.traders.map(async (owner) => {
      const made: { trader?: Trader } = {}
      const came = await result(owner.name, async () => {
        const settings = { ...STOP }
        const trader = await Trader.make(world, owner, coinOf(number, owner), {
          settings,
          terms: { isProtected: true }
        })
        made.trader = trader
        await world.streams(owner.venue)
        await trader.open()
        await rested(trader, 96)
        return undefined
      })
      return { ...made, came }
    })
  )
  await world.kill()
  for (const { trader } of held) trader?.move(95)
  await Bun.sleep(1000)
  const fired = held.map(({ trader }) => trader !== undefined && resting(trader).length === 0)
  await world.restart()
  return Promise.all(
    held.map(async ({ came, trader }, index) => {
      if (came.flaw !== undefined || trader === undefined) return came
      return result(came.name, async () => {
        must(fired[index] === true, "the stop did not go off at the exchange")
        const trade = await trader.closed(1, 30_000)
        must(trade.exitReason === "stop_loss", `closed by ${trade.exitReason}`)
        must(trader.theirs.length === 2, `the exchange has ${trader.theirs.length} orders, not 2`)
        await equal(trader)
        await trader.disarm()
        return undefined
      })
    })
  )
}
