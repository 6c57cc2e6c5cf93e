// A funding rate of a perpetual: what holders of one side paid those of the other at a time.

/** At `at` (ms since the epoch) longs paid shorts `rate` (a fraction) of their position's value; negative: they got it. */
export interface FundingRate {
  readonly at: number
  readonly rate: number
}
