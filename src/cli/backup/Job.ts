/** What a worker is asked to copy. */
export interface Job {
  readonly from: string
  readonly to: string
}

/** Errors lose their fields on the way between threads: what matters of them goes as it is. */
export type Answer =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Failed"; readonly code: string; readonly text: string }
