// The messages between `signalbox backup` and its worker thread.

export interface Job {
  readonly from: string
  readonly to: string
}

/** The worker's response. Errors lose their fields between threads, so the code and text are copied. */
export type Answer =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Failed"; readonly code: string; readonly text: string }
