// The shade of a value on a heat map, from -1 (worse) to 1 (better), for the terminal and the page. A figure with a
// sign turns at its pivot, so that a loss never looks like a gain.

/** How a figure is shaded. */
export interface Shading {
  /** Less is better. */
  readonly isLess: boolean
  /** Where worse turns into better, like 0 for a result; null for figures that have no such point. */
  readonly pivot: number | null
}

/** The least shade of a value that differs from the pivot, so that it can be seen. */
const LEAST = 0.12

/** Makes the shade of each of these values. */
export const shadeOf = (
  values: Iterable<number>,
  { isLess, pivot }: Shading
): ((value: number) => number) => {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const better = isLess ? -1 : 1
  if (pivot === null) {
    const share = (value: number) => (high > low ? (value - low) / (high - low) : 0.5)
    return (value) => LEAST + (1 - LEAST) * (isLess ? 1 - share(value) : share(value))
  }
  const reach = Math.max(Math.abs(high - pivot), Math.abs(low - pivot))
  return (value) =>
    value === pivot
      ? 0
      : better * Math.sign(value - pivot) * (LEAST + (1 - LEAST) * (Math.abs(value - pivot) / reach))
}
