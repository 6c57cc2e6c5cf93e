// The standard normal distribution: the share of values below a value, and the value below which a share lies.

const ROOT_TWO_PI = Math.sqrt(2 * Math.PI)
/** Within this distance of 0 the series is exact to a double; beyond it the continued fraction is. */
const NEAR = 5
/** Terms after which neither changes any more. */
const MOST_TERMS = 200
/** Halvings that narrow 80 standard deviations to a double. */
const MOST_HALVINGS = 200
/** Beyond this distance a double cannot tell the share from 0 or 1. */
const FARTHEST = 40

const density = (value: number): number => Math.exp((-value * value) / 2) / ROOT_TWO_PI

/**
 * The share below `value`, from 0 to 1. Marsaglia's series near 0 ("Evaluating the Normal Distribution", 2004), Laplace's
 * continued fraction in the tails.
 */
export const shareBelow = (value: number): number => {
  if (Number.isNaN(value)) return Number.NaN
  const distance = Math.abs(value)
  if (distance < NEAR) return 0.5 + density(value) * series(value)
  const tail = density(distance) / fraction(distance)
  return value < 0 ? tail : 1 - tail
}

/** x + x^3/3 + x^5/(3 5) + ... */
const series = (value: number): number => {
  let term = value
  let sum = value
  for (let odd = 3; odd < 2 * MOST_TERMS; odd += 2) {
    term *= (value * value) / odd
    const next = sum + term
    if (next === sum) break
    sum = next
  }
  return sum
}

/** x + 1/(x + 2/(x + 3/(x + ...))) */
const fraction = (value: number): number => {
  let below = value
  for (let term = MOST_TERMS; term > 0; term--) below = value + term / below
  return below
}

/** The value below which `share` lies; infinite at 0 and 1. By halving, so that it is the inverse to a double. */
export const valueAt = (share: number): number => {
  if (!(share > 0)) return share === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  if (share >= 1) return share === 1 ? Number.POSITIVE_INFINITY : Number.NaN
  let [low, high] = [-FARTHEST, FARTHEST]
  for (let halving = 0; halving < MOST_HALVINGS; halving++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (shareBelow(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}
