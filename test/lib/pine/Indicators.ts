// Moving averages and their like over closes, with a value for each bar; too little history has none (NaN).

/** The exponential average, seeded with the first simple one. */
export const ema = (values: ReadonlyArray<number>, length: number): ReadonlyArray<number> => {
  let last = Number.NaN
  return values.map((value, index) => {
    if (index === length - 1) last = values.slice(0, length).reduce((sum, each) => sum + each, 0) / length
    else if (index >= length) last += (2 / (length + 1)) * (value - last)
    return last
  })
}

/** The relative strength index, smoothed as Wilder did. */
export const rsi = (values: ReadonlyArray<number>, length: number): ReadonlyArray<number> => {
  let up = 0
  let down = 0
  return values.map((value, index) => {
    if (index === 0) return Number.NaN
    const change = value - (values[index - 1] ?? value)
    const weight = index <= length ? 1 / length : 1
    const keep = index <= length ? 1 : (length - 1) / length
    const share = index <= length ? weight : 1 / length
    up = up * keep + Math.max(change, 0) * share
    down = down * keep + Math.max(-change, 0) * share
    if (index < length) return Number.NaN
    return down === 0 ? 100 : 100 - 100 / (1 + up / down)
  })
}

/** The highest of the last values, the present one left out. */
export const highestBefore = (values: ReadonlyArray<number>, length: number): ReadonlyArray<number> =>
  values.map((_, index) => (index < length ? Number.NaN : Math.max(...values.slice(index - length, index))))

/** The average true range, smoothed as Wilder did. */
export const atr = (
  bars: ReadonlyArray<{ readonly high: number; readonly low: number; readonly close: number }>,
  length: number
): ReadonlyArray<number> => {
  const ranges = bars.map(({ high, low }, index) => {
    const previous = bars[index - 1]?.close ?? low
    return Math.max(high - low, Math.abs(high - previous), Math.abs(low - previous))
  })
  let last = Number.NaN
  return ranges.map((range, index) => {
    if (index === length - 1) last = ranges.slice(0, length).reduce((sum, each) => sum + each, 0) / length
    else if (index >= length) last += (range - last) / length
    return last
  })
}

/** Where the first line goes over the second. */
export const crossover = (
  first: ReadonlyArray<number>,
  second: ReadonlyArray<number>
): ReadonlyArray<boolean> =>
  first.map((value, index) => {
    const [before = Number.NaN, other = Number.NaN, now = Number.NaN] = [
      first[index - 1],
      second[index - 1],
      second[index]
    ]
    return before <= other && value > now
  })
