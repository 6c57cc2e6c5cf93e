// Real orders at stubs of all seven exchanges, whose own books are compared with ours: what a new user does, and every
// failure of orders. Some cases also run on paper.
import { Effect } from "effect"
import { added } from "./orders/adding.ts"
import { arms, connects } from "./orders/arming.ts"
import { KILL } from "./orders/Blow.ts"
import { entriesCancelled, killedByHand, soldInPart } from "./orders/byHand.ts"
import { type Case, runAll, saidBy } from "./orders/Case.ts"
import { sound } from "./orders/compare.ts"
import { partly, refused, slipped } from "./orders/compared.ts"
import { againTaken, answersLost, hidden, requestsLost, strayFills } from "./orders/faults.ts"
import { partsByAlert, steps, turnEntries, turns } from "./orders/following.ts"
import { struck } from "./orders/kill.ts"
import { caps, ends, soldByHand } from "./orders/owners.ts"
import { banned, refusals, skewed, whole } from "./orders/refusals.ts"
import { restored, secrets } from "./orders/restored.ts"
import { alone, protective } from "./orders/stops.ts"
import { parts, perpetuals, rules, trades } from "./orders/trades.ts"
import { World } from "./orders/World.ts"
import { inFolder } from "./Program.ts"
import type { Effort, Row, Suite } from "./suite.ts"

/** `SIGNALBOX_CASES=3,6` runs those only. */
const chosen = process.env["SIGNALBOX_CASES"]?.split(",").map(Number)
const isWanted = (number: number) => chosen === undefined || chosen.includes(number)

/**
 * The number of kills, and of servers that share them, because an exchange limits the requests of one server. A short
 * run takes half of the points, other ones each time.
 */
const KILLS = { short: { seeds: 0.5, parts: 4, servers: 2 }, full: { seeds: 20, parts: 2, servers: 4 } }

const suite: Suite = ({ short }) =>
  inFolder(async (folder) => {
    const worlds: Array<World> = []
    const open = async (name: string): Promise<World> => {
      const world = await World.start(folder, name)
      worlds.push(world)
      return world
    }
    try {
      const tasks = [
        unbroken("killed", () =>
          isWanted(17) ? kills(short ? KILLS.short : KILLS.full, open) : Promise.resolve([])
        ),
        ...groups({ short }).map((group) => unbroken(group.name, () => played(group, open)))
      ]
      const rows = await atATime(AT_ONCE, tasks)
      return ordered([...rows.flat(), ...(isWanted(19) ? [secrets(worlds, 19)] : [])])
    } finally {
      await Promise.all(worlds.map((world) => world.stop()))
    }
  })
export default suite

/** How many groups run at a time: more servers than that want more than two processors, and miss the cases' times. */
const AT_ONCE = 4

const atATime = <A>(most: number, tasks: ReadonlyArray<() => Promise<A>>): Promise<ReadonlyArray<A>> =>
  Effect.runPromise(Effect.forEach(tasks, (task) => Effect.promise(task), { concurrency: most }))

type Task = () => Promise<ReadonlyArray<Row>>

/** A task that breaks off is a failed row, and the others go on. */
const unbroken =
  (name: string, task: Task): Task =>
  () =>
    task().catch((error: unknown) => [
      { test: `orders: ${name} broke off`, trials: 1, failures: 1, worst: "", details: [saidBy(error)] }
    ])

/** Runs cases on a server of their own, in sequence or at once. */
interface Group {
  readonly name: string
  readonly cases: ReadonlyArray<Case>
  readonly atOnce?: boolean
}

/** Those that take longest come first. */
const groups = ({ short }: Effort): ReadonlyArray<Group> => [
  {
    name: "compared",
    // They wait for whole minutes, and a case ends its faults long before another one's end ends all.
    atOnce: true,
    cases: [
      { number: 26, title: "compare explains known slippage and fees", run: slipped(short) },
      { number: 27, title: "compare explains an order that is refused", run: refused(short) },
      { number: 28, title: "compare explains an order filled in part", run: partly(short) }
    ]
  },
  {
    name: "by hand",
    cases: [
      { number: 25, title: "a part by hand, however its order ends", run: soldInPart(short) },
      { number: 25, title: "an entry cancelled while it fills", run: entriesCancelled },
      { number: 25, title: "killed around the answer, and sent again", run: killedByHand }
    ]
  },
  {
    name: "slow",
    atOnce: true,
    cases: [
      { number: 7, title: "lost before the exchange", run: requestsLost },
      { number: 14, title: "coins sold by hand, and back", run: soldByHand }
    ]
  },
  {
    name: "rules",
    cases: [
      { number: 4, title: "averaging, profit, trail, stop, targets", run: rules },
      { number: 4, title: "perpetuals, long and short", run: perpetuals }
    ]
  },
  {
    name: "down",
    cases: [
      { number: 16, title: "the stop goes off while the server is down", run: alone },
      { number: 18, title: "restored: halted and disarmed", run: restored }
    ]
  },
  {
    name: "owned",
    cases: [
      { number: 15, title: "most an order, most a day, halt", run: caps },
      { number: 15, title: "halt, resume, disarm", run: ends },
      { number: 16, title: "a stop at the exchange", run: protective }
    ]
  },
  {
    name: "well",
    cases: [
      { number: 1, title: "connect and check", run: connects },
      { number: 2, title: "armed only when flat, and within the balance", run: arms },
      { number: 3, title: "entry and exit by alerts, to the last digit", run: trades },
      { number: 5, title: "partial fills", run: parts }
    ]
  },
  {
    name: "late",
    cases: [
      { number: 8, title: "out of sight for ten seconds", run: hidden },
      { number: 10, title: "fills told twice, and late", run: strayFills },
      { number: 13, title: "clocks half a minute apart", run: skewed }
    ]
  },
  {
    name: "refused",
    cases: [
      { number: 11, title: "turned down: once, and told", run: refusals(short ? 1 : 4) },
      { number: 11, title: "the whole balance", run: whole },
      { number: 12, title: "banned: exits first, nothing lost", run: banned }
    ]
  },
  {
    name: "followed",
    cases: [
      { number: 21, title: "a part by alert, and the stop follows", run: partsByAlert(short) },
      { number: 22, title: "a step, and the stop at break even", run: steps(short) },
      { number: 24, title: "an entry added by alert, and the stop follows", run: added(short) }
    ]
  },
  {
    name: "turned",
    cases: [
      { number: 23, title: "a turn, however its closing order ends", run: turns(short) },
      { number: 23, title: "a turn, however its entry ends", run: turnEntries(short) }
    ]
  },
  {
    name: "lost",
    cases: [
      { number: 6, title: "taken, and the answer lost", run: answersLost(short ? 1 : 7) },
      { number: 9, title: "an id that is taken again", run: againTaken }
    ]
  }
]

const played = async (
  { atOnce, cases, name }: Group,
  open: (name: string) => Promise<World>
): Promise<ReadonlyArray<Row>> => {
  const wanted = cases.filter(({ number }) => isWanted(number))
  if (wanted.length === 0) return []
  const world = await open(name)
  if (wanted[0]?.number !== 1) await world.connectAll()
  const rows = atOnce
    ? (await Promise.all(wanted.map((one) => runAll([one], world)))).flat()
    : await runAll(wanted, world)
  await world.end()
  return [...rows, await sound(world, name, 20)]
}

const kills = async (
  { parts: share, seeds, servers }: (typeof KILLS)["full"],
  open: (name: string) => Promise<World>
): Promise<ReadonlyArray<Row>> => {
  const own = await Promise.all(Array.from({ length: servers }, (_, place) => open(`killed ${place + 1}`)))
  for (const world of own) await world.connectAll()
  const all = Number(process.env["SIGNALBOX_KILLS"] ?? seeds)
  const rows = await struck(own, { blow: KILL, name: "orders 17", seeds: all, parts: share })
  await Promise.all(own.map((world) => world.end()))
  return [...rows, ...(await Promise.all(own.map((world, place) => sound(world, `killed ${place + 1}`, 20))))]
}

const numberOf = ({ test }: Row): number => Number(/^orders (\d+)/.exec(test)?.[1])
const ordered = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted((one, other) => numberOf(one) - numberOf(other))
