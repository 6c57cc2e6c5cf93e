// The probability that a choice among trials is overfitted: how often the best in one half of the days is no better
// than the middle in the other half (Bailey, Borwein, López de Prado and Zhu, "The Probability of Backtest Overfitting",
// 2015: combinatorially symmetric cross-validation).
import { PCGRandom } from "effect/Utils"
import { BLOCK_WIDTH, lengthsOf, sharpeOf } from "./Blocks.ts"

/** Trials as their blocks' sums, trial after trial. */
export interface Trials {
  readonly count: number
  readonly blocks: number
  readonly days: number
  readonly sums: Float64Array
}

/** `probability` from 0 to 1, over so many ways of halving the blocks. */
export interface Overfitting {
  readonly probability: number
  readonly halvings: number
}

/** Ratios worked out at most, two for each trial and halving. With more trials fewer halvings are drawn. */
const MOST_RATIOS = 20_000_000
const LEAST_HALVINGS = 50

/** Measures overfitting; undefined for fewer than two trials or a single block. The draw is the same each time. */
export const measure = (trials: Trials): Overfitting | undefined => {
  const { blocks, count } = trials
  if (count < 2 || blocks < 2) return undefined
  const halves = halvingsOf(blocks)
  const most = Math.max(LEAST_HALVINGS, Math.floor(MOST_RATIOS / (2 * count)))
  const drawn = halves.length <= most ? halves : draw(halves, most)
  const lengths = lengthsOf(blocks, trials.days)
  const [inside, outside] = [new Float64Array(count), new Float64Array(count)]
  let overfitted = 0
  for (const half of drawn) {
    ratios(trials, lengths, half, inside)
    ratios(trials, lengths, ~half, outside)
    overfitted += shareOverfitted(inside, outside)
  }
  return { probability: overfitted / drawn.length, halvings: drawn.length }
}

/** All choices of half of the blocks, as bits. */
const halvingsOf = (blocks: number): Array<number> => {
  const found: Array<number> = []
  for (let bits = 0; bits < 2 ** blocks; bits++) if (ones(bits) === blocks / 2) found.push(bits)
  return found
}

const ones = (bits: number): number => {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

/** The first of a shuffle (Fisher and Yates). */
const draw = (halves: Array<number>, most: number): ReadonlyArray<number> => {
  const random = new PCGRandom(1)
  for (let place = 0; place < most; place++) {
    const other = place + Math.floor(random.number() * (halves.length - place))
    const [here = 0, there = 0] = [halves[place], halves[other]]
    halves[place] = there
    halves[other] = here
  }
  return halves.slice(0, most)
}

/** The Sharpe ratio of every trial over the blocks whose bit is set. */
const ratios = (
  { blocks, count, sums }: Trials,
  lengths: ReadonlyArray<number>,
  half: number,
  into: Float64Array
): void => {
  const chosen = lengths.flatMap((_, block) => ((half >> block) & 1 ? [block] : []))
  const days = chosen.reduce((all, block) => all + (lengths[block] ?? 0), 0)
  for (let trial = 0; trial < count; trial++) {
    let [sum, squares] = [0, 0]
    for (const block of chosen) {
      const at = (trial * blocks + block) * BLOCK_WIDTH
      sum += sums[at] ?? 0
      squares += sums[at + 1] ?? 0
    }
    into[trial] = sharpeOf(days, sum, squares)
  }
}

/**
 * 1 where the best inside is in the lower half outside, 0 where it is in the upper, 1/2 exactly in the middle. Of
 * several that are best inside each counts alike.
 */
const shareOverfitted = (inside: Float64Array, outside: Float64Array): number => {
  const best = inside.reduce((most, ratio) => Math.max(most, ratio), Number.NEGATIVE_INFINITY)
  let [chosen, share] = [0, 0]
  // Ties are common among settings that differ in nothing that happened: at most a few are looked at.
  for (let trial = 0; trial < inside.length && chosen < MOST_TIES; trial++) {
    if (inside[trial] !== best) continue
    chosen++
    share += shareBehind(outside, outside[trial] ?? 0)
  }
  return share / chosen
}

const MOST_TIES = 8

const shareBehind = (outside: Float64Array, ratio: number): number => {
  let [below, above] = [0, 0]
  for (const other of outside) {
    if (other < ratio) below++
    else if (other > ratio) above++
  }
  return below > above ? 0 : below === above ? 0.5 : 1
}
