// Measures how work grows with its input: text of 16 times the size may take 24 times as long at most, and no work may
// hold the event loop for more than 20 ms. Only processor time counts, and the least of several runs, because other
// programs of the machine only ever add time.

/** The factor between the two inputs, and the factor that their times may have. */
export const TIMES = 16
export const MOST_TIMES = 24
/** The longest time for which the event loop may be held (ms). */
export const MOST_HELD_MS = 20
/** Shorter times are too short to be compared (ms): the clock and the collector of garbage weigh too much in them. */
const SHORT_MS = 50
/** The number of runs, and the work (ms) after which fewer are enough. */
const RUNS = 12
const FEW_RUNS = 3
const LONG_MS = 1_000

/** Processor milliseconds of the work, and of its longest stretch that held the event loop. */
export interface Cost {
  readonly ms: number
  readonly heldMs: number
}

/** The work to measure, for one input. */
export type Work = (input: string) => unknown

/** Processor time of this process so far (ms). */
export const processorMs = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

const once = async (work: Work, input: string): Promise<Cost> => {
  const began = processorMs()
  let last = began
  let heldMs = 0
  let isOver = false
  const tick = () => {
    const now = processorMs()
    heldMs = Math.max(heldMs, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work(input)
  const ms = processorMs() - began
  isOver = true
  await new Promise(setImmediate)
  return { ms, heldMs: Math.min(heldMs, ms) }
}

const least = (one: Cost, other: Cost): Cost => ({
  ms: Math.min(one.ms, other.ms),
  heldMs: Math.min(one.heldMs, other.heldMs)
})

/** The violations of the limits between the small input and the large one. */
export const flawOf = async (
  work: Work,
  small: string,
  large: string,
  mostHeldMs = MOST_HELD_MS
): Promise<string | undefined> => {
  let much = await once(work, large)
  let little: Cost | undefined
  let spentMs = much.ms
  for (let run = 1; ; run++) {
    if (much.ms < MOST_HELD_MS || (much.ms < SHORT_MS && much.heldMs <= mostHeldMs)) return undefined
    little = least(await once(work, small), little ?? much)
    const ratio = much.ms / Math.max(little.ms, SHORT_MS / MOST_TIMES)
    const isSound = ratio <= MOST_TIMES && much.heldMs <= mostHeldMs
    if (isSound) return undefined
    if (run >= (spentMs > LONG_MS ? FEW_RUNS : RUNS))
      return `${much.ms.toFixed(1)} ms, ${ratio.toFixed(1)} times as long as ${1 / TIMES} of it; the loop held for ${much.heldMs.toFixed(1)} ms`
    const again = await once(work, large)
    spentMs += again.ms
    much = least(again, much)
  }
}
