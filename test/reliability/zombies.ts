// Real orders across a take-over: a server of a cluster is frozen beyond its lease, or killed, at every point of an
// order's life at all seven exchanges, and another one goes on with its bots. What arrives late is refused by exchanges
// that let an order expire, no order is sent twice, and books and exchange agree.
import { isInstalled } from "../lib/postgres/Database.ts"
import { sound } from "./orders/compare.ts"
import { struck } from "./orders/kill.ts"
import { inFolder } from "./Program.ts"
import type { Row, Suite } from "./suite.ts"
import { freeze, kill } from "./zombies/blows.ts"
import { inside } from "./zombies/inside.ts"
import { Pair } from "./zombies/Pair.ts"

/** How many of the points each blow has, of as many parts of all points, since an exchange limits the requests of a server. */
const SHORT = { freeze: 0.5, kill: 0.25, parts: 4 }
const FULL = { freeze: 1, kill: 1, parts: 4 }

const suite: Suite = ({ short }) =>
  isInstalled
    ? inFolder((folder) => played(folder, short))
    : Promise.resolve([
        {
          test: "zombies: left out, because Postgres is not installed here",
          ...{ trials: 0, failures: 0, worst: "apt-get install postgresql", details: [] }
        }
      ])
export default suite

const played = async (folder: string, short: boolean): Promise<ReadonlyArray<Row>> => {
  const { parts, ...seeds } = short ? SHORT : FULL
  const pair = await Pair.start(folder, "zombies")
  const { world } = pair
  try {
    const rows = [
      ...(await inside(pair)),
      ...(await struck([world], { blow: freeze(pair), name: "zombies", seeds: seeds.freeze, parts })),
      ...(await struck([world], { blow: kill(pair), name: "zombies", seeds: seeds.kill, parts }))
    ]
    await world.end()
    const slowest = Math.max(...pair.took)
    return [
      ...rows,
      await sound(world, "zombies", 20),
      {
        test: "zombies: take-overs",
        ...{ trials: pair.took.length, failures: 0, details: [] },
        worst: `after ${(slowest / 1000).toFixed(1)} s`
      }
    ]
  } finally {
    await pair.stop()
  }
}
