/** One line of the bench: what was measured, with both absolutes, and whether it holds. */
export interface Line {
  readonly name: string
  readonly text: string
  readonly ok: boolean
  /** How many times as fast as its reference it is, for lines whose ratio a release keeps. */
  readonly ratio?: number
}

/** The text of a line that needs Postgres, on a machine without it. */
export const NOT_INSTALLED = "skipped: Postgres is not installed (apt-get install postgresql)"
