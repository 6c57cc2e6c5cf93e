import type { Answer } from "../wire.ts"

/** An alert as it came, was understood and was decided. */
export type Incoming = Answer<"incoming", "alerts">["data"][number]
