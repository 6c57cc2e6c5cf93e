// Measures how work grows with its input: text of 16 times the size may take 24 times as long at most, and no work may
// hold the event loop for more than 20 ms. Time is that of the processor, and the least of several runs counts: what else
// a machine does takes time from us, and only ever adds.

/** How much larger the large input is, and how many times as long it may take. */
export const TIMES = 16
export const MOST_TIMES = 24
/** The longest time for which nothing else has its turn (ms). */
export const MOST_HELD_MS = 20
/** What takes less is not compared: it is too short to be measured, and to matter (ms). */
const SHORT_MS = 12
/** Runs until a figure is believed; of long ones fewer: after so much work (ms) some are enough. */
const RUNS = 12
const FEW_RUNS = 3
const LONG_MS = 1_000

/** Milliseconds of the processor: how long the work took, and the longest stretch in which nothing else had its turn. */
export interface Cost {
  readonly ms: number
  readonly heldMs: number
}

/** What a door or a reader does with an input. */
export type Work = (input: string) => unknown

/** Time that this process has had of the processor (ms). */
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

/** What is wrong with how the work grows from the small input to the large one; nothing where it grows as it may. */
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
    if (much.ms < SHORT_MS) return undefined
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
