import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** The command line was not understood: exit code 2. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}
export const usage = (message: string) => Effect.fail(new UsageError({ message }))
