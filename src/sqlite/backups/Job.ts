/** What a worker is asked to write. */
export interface Job {
  readonly from: string
  readonly file: string
}

/** Errors lose their fields on the way between threads: what matters of them goes as it is. */
export type Answer =
  | { readonly _tag: "Done"; readonly bytes: number; readonly faults: number }
  | { readonly _tag: "Failed"; readonly message: string }
