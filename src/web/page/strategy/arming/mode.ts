// Types of a strategy's trading mode.
import type { Answer } from "../../wire.ts"

export type Mode = Answer<"live", "mode">
export type Armed = NonNullable<Mode["armed"]>
