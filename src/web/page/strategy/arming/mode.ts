import type { Answer } from "../../wire.ts"

/** How a strategy trades, and on what terms. */
export type Mode = Answer<"live", "mode">
export type Armed = NonNullable<Mode["armed"]>
