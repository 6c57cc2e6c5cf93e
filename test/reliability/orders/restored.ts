// A restored backup is halted and disarmed; and no secret is written anywhere.
import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { backedUp } from "../../lib/postgres/Runner.ts"
import { result } from "../prices/Case.ts"
import { must, until } from "../prices/until.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"
import { type Case, coinOf } from "./Case.ts"
import { equal } from "./compare.ts"
import { Trader } from "./Trader.ts"
import type { World } from "./World.ts"

/** A backup with open positions is restored halted and disarmed: only exits, until its owner arms and resumes. */
export const restored: Case["run"] = async (world, number) => {
  const held = await Promise.all(
    world.traders.map(async (owner) => {
      const made: { trader?: Trader } = {}
      const came = await result(owner.name, async () => {
        made.trader = await Trader.make(world, owner, coinOf(number, owner))
        await world.streams(owner.venue)
        await made.trader.open()
        return undefined
      })
      return { ...made, came }
    })
  )
  const file = join(dirname(world.db), "live.backup")
  const restoreDump = backedUp(world.db)
  if (restoreDump === undefined) await world.said(["backup", file])
  await world.end()
  if (restoreDump === undefined) await world.said(["restore", file, "--force"])
  else restoreDump()
  await world.restart()
  const results = await Promise.all(
    held.map(async ({ came, trader }) => {
      if (came.flaw !== undefined || trader === undefined) return came
      return result(came.name, async () => {
        const halt = JSON.stringify(await world.ask(trader.owner, "/v1/halt"))
        must(/"halted":true/.test(halt) && /"restored"/.test(halt), `the halt is ${halt}`)
        must((await trader.mode()).mode === "leaving", `it is ${(await trader.mode()).mode}`)
        await world.streams(trader.venue)
        const fresh = await Trader.make(world, trader.owner, coinOf(number + 1, trader.owner), {
          isArmed: false
        })
        await fresh.expect("buy", "halted")
        await trader.close()
        await until("paper", async () => (await trader.mode()).mode === "paper", 5000)
        await equal(trader)
        return undefined
      })
    })
  )
  await world.said(["resume"])
  return results
}

/** Searches everything that was written for exchange keys and the master key, in any form. */
export const secrets = (worlds: ReadonlyArray<World>, number: number): Row => {
  const tally = new Tally()
  let bytes = 0
  for (const world of worlds) {
    const texts = world.traders.flatMap(({ venue }) => Object.values(venue.desk.credentials).map(String))
    const forms = [
      ...texts,
      ...Object.values(world.env).filter((text) => /^[0-9a-f]{64}$/.test(text))
    ].flatMap((text) => [
      text,
      Buffer.from(text).toString("base64").slice(0, -4),
      Buffer.from(text).toString("hex")
    ])
    const master = Buffer.from(world.env["SIGNALBOX_MASTER_KEY"] ?? "", "hex").toString("latin1")
    for (const { place, text } of [
      { place: "what was printed", text: world.printed },
      ...filesOf(dirname(world.db))
    ]) {
      bytes += text.length
      const found = [...forms, master].find((form) => text.includes(form))
      tally.check(found === undefined, () => `a key stands in ${place}: ${found?.slice(0, 8)}…`)
    }
  }
  return tally.row(`orders ${number}: no key is anywhere`, `${(bytes / 2 ** 20).toFixed(1)} MiB searched`)
}

const filesOf = (folder: string): ReadonlyArray<{ readonly place: string; readonly text: string }> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => ({ place: file.slice(folder.length + 1), text: readFileSync(file, "latin1") }))
