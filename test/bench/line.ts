/** One line of the bench: what was measured, with both absolutes, and whether it holds. */
export interface Line {
  readonly name: string
  readonly text: string
  readonly ok: boolean
}
