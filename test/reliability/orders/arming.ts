// Connecting accounts and arming strategies: keys are never shown, and arming needs exact terms.
import { must, until } from "../prices/until.ts"
import { each } from "./Case.ts"
import { equal } from "./compare.ts"
import { Trader } from "./Trader.ts"
import { ACCOUNT } from "./World.ts"

/** Connects by standard input: errors of keys are reported, and the keys are never shown. */
export const connects = each(async (owner, world) => {
  const { desk } = owner.venue
  desk.permissions.withdraw = true
  const greedy = await world.connect(owner, "greedy")
  must(greedy.exitCode !== 0, "keys that may withdraw were taken")
  must(/withdraw/i.test(greedy.stderr + greedy.stdout), `it does not say why: ${greedy.stderr}`)
  desk.permissions.withdraw = false
  desk.isRevoked = true
  const revoked = await world.connect(owner, "revoked")
  must(revoked.exitCode !== 0, "keys that the exchange does not know were taken")
  desk.isRevoked = false
  const { exitCode, stderr } = await world.connect(owner)
  must(exitCode === 0, `connect ended with ${exitCode}: ${stderr.slice(-300)}`)
  const listed = await world.said(["account", "list", "--json"])
  must(listed.includes(`"${ACCOUNT}"`) && !/greedy|revoked/.test(listed), `account list: ${listed}`)
  await world.said(["account", "check", ACCOUNT, "--owner", owner.name])
  return undefined
})

/** Arms only when flat, with an available balance, and with a confirmation. */
export const arms = each(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin, { isArmed: false })
  await world.streams(owner.venue)
  const refused = async (what: string, ended: ReturnType<Trader["armByCommand"]>, words: RegExp) => {
    const { exitCode, stderr, stdout } = await ended
    must(exitCode !== 0, `${what}: it was armed`)
    must(words.test(stdout + stderr), `${what}: it said ${stderr || stdout}`)
  }
  await refused("without --yes", trader.armByCommand({}, false), /--yes/)
  await refused("beyond the balance", trader.armByCommand({ capital: 1_000_000 }), /balance|holds|free|has /i)
  await trader.open()
  must(trader.theirs.length === 0, "an order on paper went to the exchange")
  await refused("with a position", trader.armByCommand(), /flat|open|position/i)
  await trader.close()
  must((await trader.mode()).mode === "paper", "it is armed all the same")
  const armed = await trader.armByCommand()
  must(armed.exitCode === 0, `arm ended with ${armed.exitCode}: ${armed.stderr.slice(-300)}`)
  must((await trader.mode()).mode === "live", "armed by the command, it is on paper")
  const { net_pnl, starting_equity } = await trader.summary()
  must(starting_equity === 10_000 && net_pnl === 0, `it begins with ${starting_equity}, made ${net_pnl}`)
  await trader.open()
  must(trader.theirs.length === 1, `the exchange has ${trader.theirs.length} orders`)
  await trader.close()
  await equal(trader)
  must((await trader.disarm()).mode === "paper", "disarmed when flat, it is not on paper")
  const period = await trader.summary()
  must(period.net_pnl === 0, "results of live trading stand in the summary of paper")
  must(trader.trades.filter(({ live }) => live === true).length === 1, "the live trade is not told apart")
  await until("rest", () => trader.isIdle, 1000)
  return undefined
})
