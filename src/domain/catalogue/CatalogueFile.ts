// The format of a shipped market snapshot: one market a line, all numbers as plain decimal texts (never `1e-5`), so
// that none passes through a binary float.

/** One exchange of the shipped market snapshot. */
export interface CatalogueFile {
  /** The exchange's ccxt id: `binance`, `okx`, ... */
  readonly name: string
  /** Default maker fee of the lowest spot tier, percent: `"0.1"` is 0.1 %. */
  readonly makerFeePercent: string
  /** Default taker fee of the lowest spot tier, percent. */
  readonly takerFeePercent: string
  /** The source of the numbers in a line: public source, date or commit, licence. */
  readonly source: string
  /**
   * One market a line, six columns separated by one blank; the text begins and ends with a line break.
   *
   * `PAIR KIND PRICE_STEP AMOUNT_STEP MIN_AMOUNT MIN_COST`
   *
   * PAIR is `BASE/QUOTE`; KIND is `spot`, or `swap` for a linear perpetual; PRICE_STEP is the tick in quote per
   * base, > 0; AMOUNT_STEP in base, > 0 (contracts times their size); MIN_AMOUNT in base; MIN_COST in quote, 0 where
   * there is none.
   */
  readonly markets: string
}
