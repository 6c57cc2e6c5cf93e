// Runs two sides in turns, so that other work of the machine affects both.
import { fullGC } from "bun:jsc"

/** Median milliseconds of both sides, and the median over rounds of how many times faster the left one was. */
export interface Comparison {
  readonly left: number
  readonly right: number
  readonly ratio: number
}

export const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN

/** Collects garbage first, without returning memory to the system: a run that follows would wait for its pages anew. */
const timed = async (run: () => unknown): Promise<number> => {
  fullGC()
  const from = performance.now()
  await run()
  return performance.now() - from
}

/**
 * Runs some rounds that do not count, until the compiler is done with both sides, and then so many that do. Each side
 * goes first in every other round.
 */
export const compare = async (
  left: () => unknown,
  right: () => unknown,
  rounds: number,
  warmUps = 1
): Promise<Comparison> => {
  for (let round = 0; round < warmUps; round++) {
    await timed(left)
    await timed(right)
  }
  const times: Array<{ readonly left: number; readonly right: number }> = []
  for (let round = 0; round < rounds; round++) {
    const early = round % 2 === 0 ? undefined : await timed(right)
    const first = await timed(left)
    times.push({ left: first, right: early ?? (await timed(right)) })
  }
  return {
    left: median(times.map((time) => time.left)),
    right: median(times.map((time) => time.right)),
    ratio: median(times.map((time) => time.right / time.left))
  }
}
