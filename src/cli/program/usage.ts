// The error for a bad command line or setting: exit code 2.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}
export const usage = (message: string) => Effect.fail(new UsageError({ message }))
