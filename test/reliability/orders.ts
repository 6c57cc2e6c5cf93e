// Real orders at all seven exchanges, each of them a stub on the loopback interface whose own books are held against
// ours: what a newcomer does, and everything that goes wrong with orders. Where it makes sense, the same on paper.

import { arms, connects } from "./orders/arming.ts"
import { type Case, runAll } from "./orders/Case.ts"
import { againTaken, answersLost, hidden, requestsLost, strayFills } from "./orders/faults.ts"
import { killed } from "./orders/kill.ts"
import { caps, ends, soldByHand } from "./orders/owners.ts"
import { banned, refusals, skewed } from "./orders/refusals.ts"
import { restored, secrets } from "./orders/restored.ts"
import { alone, protective } from "./orders/stops.ts"
import { parts, rules, trades } from "./orders/trades.ts"
import { World } from "./orders/World.ts"
import { command, inFolder } from "./Program.ts"
import type { Row, Suite } from "./suite.ts"

/** `SIGNALBOX_CASES=3,6` runs those only. */
const chosen = process.env["SIGNALBOX_CASES"]?.split(",").map(Number)
const isWanted = (number: number) => chosen === undefined || chosen.includes(number)

const suite: Suite = async ({ short }) =>
  inFolder(async (folder) => {
    const worlds: Array<World> = []
    const inWorld = async (
      name: string,
      numbers: ReadonlyArray<number>,
      use: (world: World) => Promise<ReadonlyArray<Row>>
    ) => {
      if (!numbers.some(isWanted)) return []
      const world = await World.start(folder, name)
      worlds.push(world)
      try {
        if (!numbers.includes(1)) await world.connectAll()
        else if (!isWanted(1)) await world.connectAll()
        const rows = await use(world)
        await world.end()
        return [...rows, await sound(world, name)]
      } finally {
        await world.stop()
      }
    }
    const all = (cases: ReadonlyArray<Case>, world: World) =>
      runAll(
        cases.filter(({ number }) => isWanted(number)),
        world
      )
    const rows = await Promise.all([
      inWorld("well", [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15, 16], (world) => all(usual(short), world)),
      inWorld("slow", [7, 14], async (world) =>
        (await Promise.all(SLOW.map((one) => all([one], world)))).flat()
      ),
      inWorld("killed", [17], (world) =>
        killed(world, 17, short ? 2 : Number(process.env["SIGNALBOX_KILLS"] ?? 20))
      ),
      inWorld("down", [16, 18], (world) => all(DOWN, world))
    ])
    return ordered([...rows.flat(), ...(isWanted(19) ? [secrets(worlds, 19)] : [])])
  })
export default suite

const usual = (short: boolean): ReadonlyArray<Case> => [
  { number: 1, title: "connect and check", run: connects },
  { number: 2, title: "armed only when flat, and within the balance", run: arms },
  { number: 3, title: "entry and exit by alerts, to the last digit", run: trades },
  { number: 4, title: "averaging, profit, trail, stop, targets", run: rules },
  { number: 5, title: "partial fills", run: parts },
  { number: 6, title: "taken, and the answer lost", run: answersLost(short ? 1 : 7) },
  { number: 8, title: "out of sight for ten seconds", run: hidden },
  { number: 9, title: "an id that is taken again", run: againTaken },
  { number: 10, title: "fills told twice, and late", run: strayFills },
  { number: 11, title: "turned down: once, and told", run: refusals(short ? 1 : 4) },
  { number: 12, title: "banned: exits first, nothing lost", run: banned },
  { number: 13, title: "clocks half a minute apart", run: skewed },
  { number: 15, title: "most an order, most a day, halt", run: caps },
  { number: 15, title: "halt, resume, disarm", run: ends },
  { number: 16, title: "a stop at the exchange", run: protective }
]

const SLOW: ReadonlyArray<Case> = [
  { number: 7, title: "lost before the exchange", run: requestsLost },
  { number: 14, title: "coins sold by hand, and back", run: soldByHand }
]

const DOWN: ReadonlyArray<Case> = [
  { number: 16, title: "the stop goes off while the server is down", run: alone },
  { number: 18, title: "restored: halted and disarmed", run: restored }
]

/** As the program itself checks its books. */
const sound = async (world: World, name: string): Promise<Row> => {
  const { exitCode, stdout } = await command(["verify", "--db", world.db])
  const isSound = exitCode === 0
  return {
    test: `orders 20: books are sound (${name})`,
    trials: 1,
    failures: isSound ? 0 : 1,
    worst: "",
    details: isSound ? [] : [stdout.slice(0, 300)]
  }
}

const numberOf = ({ test }: Row): number => Number(/^orders (\d+)/.exec(test)?.[1])
const ordered = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted((one, other) => numberOf(one) - numberOf(other))
