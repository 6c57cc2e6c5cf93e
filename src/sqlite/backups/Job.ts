// The messages between the server and its backup thread.

/** The copy that the worker writes: source and file. */
export interface Job {
  readonly from: string
  readonly file: string
}

/** The worker's answer: errors lose their fields between threads, so it is plain data. */
export type Answer =
  | { readonly _tag: "Done"; readonly bytes: number; readonly faults: number }
  | { readonly _tag: "Failed"; readonly message: string }
