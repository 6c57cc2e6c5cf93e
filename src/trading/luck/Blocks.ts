// Daily returns summed up in blocks of days: enough to know the Sharpe ratio of a trial over any choice of blocks,
// without keeping its returns.

/** The most blocks that a stretch of days is cut into, as Bailey et al. have it. */
const MOST_BLOCKS = 16
/** The fewest days of a block, and the fewest blocks that are worth comparing. */
const LEAST_DAYS = 2
const LEAST_BLOCKS = 6
/** The fewest days that are compared. */
export const LEAST_COMPARED_DAYS = LEAST_DAYS * LEAST_BLOCKS

/** The numbers of a block: the sum of its returns, and the sum of their squares. */
export const BLOCK_WIDTH = 2

/** The number of blocks for so many days, always even; 1 where they are too few to be compared. */
export const blocksFor = (days: number): number => {
  const blocks = 2 * Math.floor(Math.min(MOST_BLOCKS, days / LEAST_DAYS) / 2)
  return blocks < LEAST_BLOCKS ? 1 : blocks
}

/** Sums up returns block by block. Blocks are of equal length, give or take a day. */
export const sumUp = (returns: Float64Array, blocks: number, into: Float64Array, at: number): void => {
  for (let block = 0; block < blocks; block++) {
    let [sum, squares] = [0, 0]
    for (
      let day = beginOf(block, blocks, returns.length);
      day < beginOf(block + 1, blocks, returns.length);
      day++
    ) {
      const value = returns[day] ?? 0
      sum += value
      squares += value * value
    }
    into[at + block * BLOCK_WIDTH] = sum
    into[at + block * BLOCK_WIDTH + 1] = squares
  }
}

const beginOf = (block: number, blocks: number, days: number): number => Math.floor((block * days) / blocks)

/** The days of each block. */
export const lengthsOf = (blocks: number, days: number): ReadonlyArray<number> =>
  Array.from(
    { length: blocks },
    (_, block) => beginOf(block + 1, blocks, days) - beginOf(block, blocks, days)
  )

/** Mean over sample standard deviation of `count` returns with this sum and sum of squares; 0 where they do not vary. */
export const sharpeOf = (count: number, sum: number, squares: number): number => {
  if (count < 2) return 0
  const mean = sum / count
  const variance = (squares - sum * mean) / (count - 1)
  return variance > NO_VARIANCE ? mean / Math.sqrt(variance) : 0
}

/** A variance below this is rounding. */
const NO_VARIANCE = 1e-18
