/** One line of the table: how often something was tried, how often it went wrong, and the worst time, in words. */
export interface Row {
  readonly test: string
  readonly trials: number
  readonly failures: number
  readonly worst: string
  /** Whether all failures are times that were missed: on a busy machine they say nothing until measured again. */
  readonly late?: boolean
  /** What went wrong, so that it can be looked for: the first few. */
  readonly details: ReadonlyArray<string>
}

/** `short` is what CI has time for. */
export interface Effort {
  readonly short: boolean
}

/** Tries the compiled program, in a folder of its own that is gone afterwards. */
export type Suite = (effort: Effort) => Promise<ReadonlyArray<Row>>
