// Where the time of JavaScript goes: the engine's sampling profiler, its samples sorted by source file.
import { profile } from "bun:jsc"
import { type Cost, type Costs, ELSEWHERE } from "./Costs.ts"

/** Which part a frame of `file#function` belongs to. The first rule that matches decides. */
export type Rules = ReadonlyArray<readonly [part: string, frames: RegExp]>

/**
 * Microseconds between two samples, and how long one may stand for (ms): what is longer is no JavaScript. More samples would
 * make what they measure slower by a fifth, and up to half on some machines.
 */
const INTERVAL = 4000
const LONGEST_MS = 12

/** The part of the time in which no function of JavaScript ran. */
export const STILL = "the runtime: sockets, HTTP, collection of garbage"

interface Frame {
  readonly name?: string
  readonly sourceURL?: string
}

/**
 * Runs something under the profiler. Returns milliseconds of processor time of this thread by part. A sample belongs to
 * the innermost frame of ours, since what a library does for us is our cost; without one it belongs to the innermost
 * frame of all.
 */
const sampled = async (rules: Rules, run: () => unknown): Promise<ReadonlyArray<Cost>> => {
  const times = new Map<string, number>(rules.map(([part]) => [part, 0]))
  const from = processorMs()
  // The type has no promise, of which the profiler takes one all the same.
  const { stackTraces } = await Promise.resolve(profile(async () => void (await run()), INTERVAL))
  const whole = processorMs() - from
  let before = Number.NaN
  for (const { frames, timestamp } of tracesOf(stackTraces)) {
    const part = partOf(rules, frames)
    const ms = (timestamp - before) * 1000
    if (ms <= LONGEST_MS) times.set(part, (times.get(part) ?? 0) + ms)
    before = timestamp
  }
  const sum = [...times.values()].reduce((one, other) => one + other, 0)
  // On a busy machine samples go on while the thread waits for a processor.
  const scale = Math.min(1, whole / sum)
  times.set(STILL, (times.get(STILL) ?? 0) + whole / scale - sum)
  return Array.from(times, ([part, ms]) => ({ part, amount: ms * scale }))
}

interface Trace {
  /** Seconds. */
  readonly timestamp: number
  readonly frames: ReadonlyArray<Frame>
}

/** What something costs as a whole, without the profiler, and by part, with it (ms of processor time for one of its units). */
type Whole = Pick<Costs, "parts" | "whole">

/**
 * Runs something without and with the profiler by turns: machines get faster and slower by a third within seconds, and then
 * both sides do. `start` prepares a turn, whose work returns how many units it did.
 */
export const byTurns = async (
  rules: Rules,
  turns: number,
  start: () => () => number | Promise<number>
): Promise<Whole> => {
  const plain = { ms: 0, units: 0 }
  const parts = new Map<string, number>()
  let units = 0
  for (let turn = 0; turn < turns; turn++) {
    const run = start()
    const from = processorMs()
    plain.units += await run()
    plain.ms += processorMs() - from
    const again = start()
    const found = await sampled(rules, async () => {
      units += await again()
    })
    for (const { amount, part } of found) parts.set(part, (parts.get(part) ?? 0) + amount)
  }
  return {
    whole: plain.ms / plain.units,
    parts: Array.from(parts, ([part, amount]) => ({ part, amount: amount / units }))
  }
}

/** The same in another unit. */
export const scaled = ({ parts, whole }: Whole, factor: number): Whole => ({
  whole: factor * whole,
  parts: parts.map(({ amount, part }) => ({ part, amount: factor * amount }))
})

/** The profiler's own type says less than it returns. */
const tracesOf = (stackTraces: unknown): ReadonlyArray<Trace> => {
  const isKnown = typeof stackTraces === "object" && stackTraces !== null && "traces" in stackTraces
  if (!isKnown || !Array.isArray(stackTraces.traces))
    throw new Error("the profiler returns something else now")
  return stackTraces.traces
}

const partOf = (rules: Rules, frames: ReadonlyArray<Frame>): string => {
  // The runtime's own work between two of our functions has no name.
  if (frames.every(({ name = "", sourceURL = "" }) => name === "" && sourceURL === "")) return STILL
  const own = frames.filter(
    ({ sourceURL = "" }) => sourceURL.includes("/src/") && !sourceURL.includes(LIBRARIES)
  )
  for (const { name = "", sourceURL = "" } of own.length > 0 ? own : frames) {
    const frame = `${sourceURL}#${name}`
    const found = rules.find(([, pattern]) => pattern.test(frame))
    if (found !== undefined) return found[0]
  }
  return ELSEWHERE
}
const LIBRARIES = "/node_modules/"

/** Processor time of this thread so far (ms). */
const processorMs = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}
