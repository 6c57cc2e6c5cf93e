import type { Answer } from "../wire.ts"

/** Everything of an account at a glance. */
export type Glance = Answer<"dashboard", "overview">
