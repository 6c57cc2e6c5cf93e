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
  /** How many kills and faults a suite that counts them has; by default as many as it chooses. */
  readonly kills?: number
  /** An older build of the program, of which the first nodes of a cluster are; by default they are of this one. */
  readonly older?: string
}

/** Tests the compiled program in a folder that is removed afterwards. */
export type Suite = (effort: Effort) => Promise<ReadonlyArray<Row>>

/** The row of what is not tried on Postgres, and why. */
export const leftOut = (test: string, reason: string): Row => ({
  ...{ test, trials: 0, failures: 0, details: [] },
  worst: `left out on Postgres: ${reason}`
})
