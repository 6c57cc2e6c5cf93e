// A coloured label for a state. The colour never says more than the word.
import type { ComponentChildren } from "preact"
import type { Tone } from "./tone.ts"

export type { Tone } from "./tone.ts"

export const Badge = ({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)
