// The rules of an exchange for past funding rates of perpetuals: how many fit in a page, and what ends one.

/** The pages of funding rates of an exchange. */
export interface FundingRules {
  /** The most rates of a page. */
  readonly rows: number
  /**
   * What a request names beside its first time: `until` or `after` its end (ms), or `pageNo` the number of a page,
   * counted back from the newest.
   */
  readonly ends: "until" | "after" | "pageNo"
}
