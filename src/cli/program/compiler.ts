import * as Effect from "effect/Effect"

/**
 * The built program begins with a just-in-time compiler that is slow to step in (scripts/build.ts): most of what a
 * start runs, it runs once. From here on it steps in as early as usual.
 */
export const compileReadily = Effect.sync(() => Bun.unsafe.setJITPolicy(1))
