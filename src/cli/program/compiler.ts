// Switches the just-in-time compiler to its usual policy. The binary starts with a lazy one (scripts/build.ts),
// because most of what a start runs it runs only once.
import * as Effect from "effect/Effect"

export const compileReadily = Effect.sync(() => Bun.unsafe.setJITPolicy(1))
