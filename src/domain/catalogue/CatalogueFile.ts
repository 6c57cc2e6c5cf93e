// The format of a shipped market snapshot: markets grouped by their figures, all numbers as plain decimal texts (never
// `1e-5`), so that none passes through a binary float. `scripts/catalogue` writes it.

/** One exchange of the shipped market snapshot. */
export interface CatalogueFile {
  /** The exchange's ccxt id: `binance`, `okx`, ... */
  readonly name: string
  /** Default maker fee of the lowest spot tier, percent: `"0.1"` is 0.1 %. */
  readonly makerFeePercent: string
  /** Default taker fee of the lowest spot tier, percent. */
  readonly takerFeePercent: string
  /** The day (YYYY-MM-DD) from which the newest of the numbers are. */
  readonly recorded: string
  /** The sources of the numbers: public source, date or commit, licence. */
  readonly source: string
  /**
   * Sections of a kind and a quote currency, each a line `KIND QUOTE:` and lines of groups, which `; ` separates. The
   * markets of a group have the same figures:
   *
   * `PRICE_STEP AMOUNT_STEP MIN_AMOUNT MIN_COST BASE BASE ...`
   *
   * KIND is `spot`, or `swap` for a linear perpetual; PRICE_STEP is the tick in quote per base, > 0; AMOUNT_STEP in
   * base, > 0 (contracts times their size); MIN_AMOUNT in base; MIN_COST in quote, 0 where none is known.
   */
  readonly markets: string
}
