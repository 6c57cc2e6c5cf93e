// Live prices from stubs of all seven exchanges at once: what bots do with the prices, and what happens during faults.
// Some cases also run on candles of a replay.
import { join } from "node:path"
import { inFolder } from "./Program.ts"
import { booked, fair } from "./prices/books.ts"
import { type Case, type Result, runAll } from "./prices/Case.ts"
import { decides, doubts } from "./prices/decisions.ts"
import { gap, restarted } from "./prices/down.ts"
import { memory, netless, starts } from "./prices/figures.ts"
import { recorded } from "./prices/record.ts"
import { replayed } from "./prices/replay.ts"
import { answersAgain, blind, limited, REST_FAULTS, silent, speaks } from "./prices/silence.ts"
import { storm } from "./prices/storm.ts"
import { babble, cut, frugal, halfOpen, leaves, leavesAll, refused } from "./prices/streams.ts"
import { World } from "./prices/World.ts"
import type { Row, Suite } from "./suite.ts"

const STORM_MINUTES = 10
const SETTLE_SECONDS = 15

const suite: Suite = ({ short }) => inFolder((folder) => (short ? briefly(folder) : fully(folder)))
export default suite

/** Two servers run at the same time, because it takes half a minute to tell some faults from a pause. */
const briefly = async (folder: string): Promise<ReadonlyArray<Row>> => {
  const rows = await Promise.all([
    played(folder, "streams", (world) => runAll(streams(folder, true), world)),
    played(folder, "silence", (world) => runAll(silences(folder, true), world)),
    netless(16, folder)
  ])
  return ordered([...rows.flat(), await starts(21, folder)])
}

const fully = async (folder: string): Promise<ReadonlyArray<Row>> => {
  const minutes = Number(process.env["SIGNALBOX_STORM_MINUTES"] ?? STORM_MINUTES)
  const cases = await Promise.all([
    played(folder, "streams", (world) => runAll(streams(folder, false), world)),
    played(folder, "silence", (world) => runAll(silences(folder, false), world)),
    played(folder, "record", (world) => runAll([recording(folder)], world), ["--record", "on"]),
    netless(16, folder)
  ])
  const starting = await starts(21, folder)
  const raging = await played(folder, "storm", async (world) => [
    ...(await storm(world, 22, minutes * 60_000)),
    ...(await runAll([FAIR], world))
  ])
  return ordered([...cases.flat(), starting, ...raging])
}

const FAIR: Case = { number: 18, title: "each fill at a price quoted then", run: fair }

const streams = (folder: string, short: boolean): ReadonlyArray<Case> => [
  { number: 1, title: "only what bots need, and that once", run: frugal },
  {
    number: 2,
    title: "bid and ask decide, to the last digit",
    run: async (world) => [
      ...(await decides(world)),
      await replayed(folder, "levels", [100.2, 101.7, 100.2, 98.1])
    ]
  },
  { number: 3, title: "streams are cut", allowedMs: 5000, run: cut(short ? 1 : 3) },
  { number: 6, title: "streams are half-open", allowedMs: 15_000, run: halfOpen },
  { number: 7, title: "no stream can be opened", allowedMs: 30_000, run: refused(short ? 1000 : 10_000) },
  { number: 8, title: "requests limited, streams live", allowedMs: 9000, run: limited },
  { number: 11, title: "frames of nonsense", allowedMs: 5000, run: babble },
  { number: 12, title: "bad ticks decide nothing", run: doubts },
  FAIR,
  ...(short ? [] : [{ number: 17, title: "a market nobody needs is left", allowedMs: 35_000, run: leaves }]),
  { number: 17, title: "an exchange nobody needs is left", allowedMs: 5000, run: leavesAll }
]

const silences = (folder: string, short: boolean): ReadonlyArray<Case> => [
  { number: 4, title: "streams are silent: requests decide", allowedMs: 12_000, run: silent },
  { number: 5, title: "silent streams speak again", allowedMs: 5000, run: speaks },
  {
    number: 9,
    title: "silence, and requests fail",
    allowedMs: 5000,
    run: blinds(short ? 1 : REST_FAULTS.length)
  },
  ...(short ? [] : [{ number: 10, title: "requests alone recover", allowedMs: 32_000, run: answersAgain }]),
  {
    number: 13,
    title: "a gap while the line is down",
    allowedMs: 30_000,
    run: async (world) => [...(await gap(world)), await replayed(folder, "gap", [100.2, 90])]
  },
  { number: 14, title: "kill -9 while all is down", allowedMs: 30_000, run: restarted },
  FAIR
]

/** Each exchange has another fault in each turn, and has had all of them in the end. */
const blinds =
  (turns: number): Case["run"] =>
  async (world) => {
    const results: Array<Result> = []
    for (let turn = 0; turn < turns; turn++)
      results.push(...(await blind((place) => REST_FAULTS[(place + turn) % REST_FAULTS.length] ?? {})(world)))
    return results
  }

const recording = (folder: string): Case => ({
  number: 15,
  title: "recorded candles are those of the trades",
  run: (world) => recorded(world, join(folder, "record"))
})

/** Runs cases on a server of their own, then checks its memory and its books. */
const played = async (
  folder: string,
  name: string,
  play: (world: World) => Promise<ReadonlyArray<Row>>,
  args: ReadonlyArray<string> = []
): Promise<ReadonlyArray<Row>> => {
  const world = await World.start(folder, name, args)
  try {
    const rows = await play(world)
    const residentMb = await settled(world)
    const flaws = await booked(world)
    return [...rows, memory(20, name, residentMb), books(19, name, flaws)]
  } finally {
    await world.stop()
  }
}

/** Memory in MB once the collector had time to give back what the faults took: the lowest of 15 seconds. */
const settled = async (world: World): Promise<number> => {
  let lowest = world.resident
  for (let second = 0; second < SETTLE_SECONDS; second++) {
    await Bun.sleep(1000)
    lowest = Math.min(lowest, world.resident)
  }
  return lowest
}

const books = (number: number, name: string, flaws: ReadonlyArray<string>): Row => ({
  test: `prices ${number}: books balance (${name})`,
  trials: 1,
  failures: flaws.length === 0 ? 0 : 1,
  worst: "",
  details: flaws.slice(0, 5)
})

const numberOf = ({ test }: Row): number => Number(/^prices (\d+)/.exec(test)?.[1])
const ordered = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted((one, other) => numberOf(one) - numberOf(other))
