// The type of the Overview page's data.
import type { Answer } from "../wire.ts"

/** An account at a glance. */
export type Glance = Answer<"dashboard", "overview">
