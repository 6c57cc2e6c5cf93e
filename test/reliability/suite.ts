/** One line of the table: the number of trials and failures, and the worst time in words. */
export interface Row {
  readonly test: string
  readonly trials: number
  readonly failures: number
  readonly worst: string
  /** Whether all failures are times that were missed: on a busy machine they say nothing until measured again. */
  readonly late?: boolean
  /** The first failures. */
  readonly details: ReadonlyArray<string>
}

/** `short` runs as much as CI has time for. */
export interface Effort {
  readonly short: boolean
}

/** Tests the compiled program in a folder that is removed afterwards. */
export type Suite = (effort: Effort) => Promise<ReadonlyArray<Row>>
