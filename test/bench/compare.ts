// Two sides in turns, so that what else the machine does is borne by both.

/** Median milliseconds of both sides, and the median of how many times faster the left one was in a round. */
export interface Comparison {
  readonly left: number
  readonly right: number
  readonly ratio: number
}

export const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN

const timed = (run: () => unknown): number => {
  Bun.gc(true)
  const from = performance.now()
  run()
  return performance.now() - from
}

/** One round that does not count, then so many that do. */
export const compare = (left: () => unknown, right: () => unknown, rounds: number): Comparison => {
  timed(left)
  timed(right)
  const times = Array.from({ length: rounds }, (_, round) => {
    if (round % 2 === 0) return { left: timed(left), right: timed(right) }
    const second = timed(right)
    return { left: timed(left), right: second }
  })
  return {
    left: median(times.map((time) => time.left)),
    right: median(times.map((time) => time.right)),
    ratio: median(times.map((time) => time.right / time.left))
  }
}
