/** Statistics of measurements: quantiles, spreads and slopes. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** `p50 1.0, p99 2.0, most 3.0 ms`. */
export const spread = (millis: ReadonlyArray<number>): string =>
  `p50 ${shown(quantile(millis, 0.5))}, p99 ${shown(quantile(millis, 0.99))}, most ${shown(Math.max(0, ...millis))} ms`

const shown = (millis: number): string => millis.toFixed(millis < 10 ? 1 : 0)

/** A value at a time. */
export interface Sample {
  readonly at: number
  readonly value: number
}

/** The least-squares slope of samples. */
export const slope = (samples: ReadonlyArray<Sample>): number => {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const at = mean((sample) => sample.at)
  const value = mean((sample) => sample.value)
  const spread = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0)
  const joint = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.value - value), 0)
  return spread === 0 ? 0 : joint / spread
}
