// The colours of badges. `alarm` asks for attention; `real` and `sandbox` mark real money and test networks.

export type Tone = "plain" | "good" | "warn" | "bad" | "accent" | "alarm" | "real" | "sandbox"
