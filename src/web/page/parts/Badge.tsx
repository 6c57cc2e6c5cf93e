import type { ComponentChildren } from "preact"
import type { Tone } from "./tone.ts"

export type { Tone } from "./tone.ts"

/** A word about a state. The colour only repeats what the word says. */
export const Badge = ({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)
