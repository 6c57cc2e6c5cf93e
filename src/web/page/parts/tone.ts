/** What a word is about, for its colour. `alarm` asks to be looked at; `real` and `sandbox` are whose money it is. */
export type Tone = "plain" | "good" | "warn" | "bad" | "accent" | "alarm" | "real" | "sandbox"
