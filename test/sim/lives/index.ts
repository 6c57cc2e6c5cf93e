// `bun run sim orders [--lives N] [--seed S] [--database postgres]`: reads the arguments, and prints what was tried and what was found.
import { live } from "./live.ts"

const USAGE = "usage: bun run sim orders [--lives N] [--seed S] [--database postgres]"
const LIVES = 1000
/** The most differences that are printed. */
const SHOWN = 20

/** Whether all was well. */
export const lives = async (args: ReadonlyArray<string>): Promise<boolean> => {
  const wanted = new Map<string, number>()
  let isOnPostgres = false
  for (let place = 0; place < args.length; place += 2)
    if (args[place] === "--database" && args[place + 1] === "postgres") isOnPostgres = true
    else wanted.set(args[place] ?? "", Number(args[place + 1]))
  const isKnown = [...wanted].every(([name, value]) => /^--(lives|seed)$/.test(name) && value > 0)
  if (!isKnown) {
    console.error(USAGE)
    return false
  }
  const seed = wanted.get("--seed") ?? Math.floor(Date.now() / 1000)
  const began = performance.now()
  const { flaws, orders, outcomes, requests, restarts, suffered, taken } = await live(
    wanted.get("--lives") ?? LIVES,
    seed,
    isOnPostgres
  )
  const isSound = flaws.length === 0
  for (const flaw of flaws.slice(0, SHOWN)) console.log(`FAILED ${flaw}`)
  console.log([...outcomes].map(([reason, count]) => `${count} ${reason}`).join(", "))
  console.log(
    `${orders} lives of orders from seed ${seed} in ${((performance.now() - began) / 1000).toFixed(0)} s: ` +
      `${taken} taken by the exchanges, ${requests} requests, ${restarts} restarts`
  )
  if (suffered !== undefined) console.log(`the database: ${suffered}`)
  console.log(`${isSound ? 1 : 0} passed, ${isSound ? 0 : 1} failed`)
  return isSound
}
