import type { ComponentChildren } from "preact"

export type Tone = "plain" | "good" | "warn" | "bad" | "accent" | "alarm" | "real" | "sandbox"

/** A word about a state. The colour only repeats what the word says. */
export const Badge = ({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)
