// What owners do: sell coins by hand, arm with limits, halt, and disarm.
import * as Schema from "effect/Schema"
import { must, until } from "../prices/until.ts"
import { each } from "./Case.ts"
import { equal } from "./compare.ts"
import { Trader } from "./Trader.ts"
import type { Owned, World } from "./World.ts"

/** Missing coins are noticed within two checks, half a minute apart. */
const NOTICED_MS = 75_000

/** Missing coins stop the pair and are not bought again; once they are back the pair goes on. */
export const soldByHand = each(async (owner, world, coin) => {
  const settings = { stop_loss: true, stop_loss_percentage: 3, strategy_dca_switch: true }
  const dca = { dca_aftertime: 0, dca_maxretries: 2, dca_percentagetrigger: 1, dca_ordersize: 50 }
  const trader = await Trader.make(world, owner, coin, { settings: { ...settings, ...dca } })
  await world.streams(owner.venue)
  await trader.open()
  await Bun.sleep(1000)
  trader.desk.book.funds.change(trader.base, "-6")
  const since = Date.now()
  const isAstray = async () => (await trader.mode()).astray.length > 0
  await until("notice of the coins that are gone", isAstray, NOTICED_MS, 500)
  const noticed = `noticed after ${Math.round((Date.now() - since) / 1000)} s`
  const before = trader.count("place")
  trader.move(98.5)
  await Bun.sleep(2000)
  trader.move(96)
  await Bun.sleep(2000)
  await trader.judged("buy")
  await Bun.sleep(1000)
  must(trader.count("place") === before, "it went on trading there")
  trader.move(100)
  await Bun.sleep(1000)
  trader.desk.book.funds.change(trader.base, "6")
  await until("notice of the coins that are back", async () => !(await isAstray()), NOTICED_MS, 500)
  await trader.close()
  await equal(trader)
  await trader.disarm()
  return noticed
})

const Halt = Schema.Struct({
  ...{ halted: Schema.Boolean, everybody: Schema.Boolean },
  cause: Schema.NullOr(Schema.String)
})
const haltOf = async (world: World, owner: Owned, method = "GET") =>
  Schema.decodeUnknownSync(Halt)(await world.ask(owner, "/v1/halt", { method }))

/** The limits of the arming and the halt apply, and exits go on. */
export const caps = each(async (owner, world, coin) => {
  const small = await Trader.make(world, owner, coin, { terms: { maxOrder: 500 } })
  await world.streams(owner.venue)
  await small.expect("buy", "over_max_order")
  must(small.count("place") === 0, "an order beyond the cap was sent")
  await small.disarm()

  const trader = await Trader.make(world, owner, coin, {
    settings: {
      ...{ strategy_dca_switch: true, dca_aftertime: 0, dca_maxretries: 2 },
      ...{ dca_percentagetrigger: 5, dca_ordersize: 50 }
    },
    terms: { maxDailyLoss: 20 }
  })
  await trader.open()
  trader.move(97)
  await until("halt", async () => (await haltOf(world, owner)).halted, 10_000)
  must((await haltOf(world, owner)).cause === "daily_loss", "the halt has another cause")
  must((await trader.mode()).armed?.stopped_today === true, "the strategy does not say that the day is over")
  trader.move(93)
  await Bun.sleep(1500)
  must(trader.theirs.length === 1, `${trader.theirs.length} orders were sent, the halt notwithstanding`)
  must(trader.position !== undefined, "the position was closed")
  await trader.close()
  await trader.expect("buy", "halted")
  await haltOf(world, owner, "DELETE")
  await trader.expect("buy", "daily_loss")
  await equal(trader)
  await trader.disarm()
  return undefined
})

/** Disarms by the command: open positions are managed until they close, or sold at once. */
export const ends = each(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin)
  await world.streams(owner.venue)
  await trader.open()
  await world.said(["halt", "--account", owner.name])
  await until("halt", async () => (await haltOf(world, owner)).halted, 2000)
  await trader.close()
  await trader.expect("buy", "halted")
  await world.said(["resume", "--account", owner.name])
  await until("end of the halt", async () => !(await haltOf(world, owner)).halted, 2000)
  await trader.open()
  must((await trader.disarm()).mode === "leaving", "disarmed with a position, it is not leaving")
  await trader.expect("buy", "already_open")
  await trader.close()
  await until("paper", async () => (await trader.mode()).mode === "paper", 5000)
  await equal(trader)

  const second = await Trader.make(world, owner, coin)
  await second.open()
  await world.said(["strategy", "disarm", `${second.strategy}`, "--close", "--yes"])
  await second.closed(1)
  await until("paper", async () => (await second.mode()).mode === "paper", 5000)
  await equal(second)
  return undefined
})
