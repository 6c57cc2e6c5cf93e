// The type of an alert on the Alerts page.
import type { Answer } from "../wire.ts"

/** An alert as received, as understood, and its outcomes. */
export type Incoming = Answer<"incoming", "alerts">["data"][number]
