// Whether this process is still the one server of its database.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DatabaseServed } from "./DatabaseErrors.ts"

/** What the server of a database holds. */
export class Ownership extends Context.Tag("signalbox/sql/client/Ownership")<
  Ownership,
  {
    /** Fails once another server has taken the database over, and never ends before. */
    readonly lost: Effect.Effect<never, DatabaseServed>
  }
>() {
  /** A lock that the kernel keeps is never lost. */
  static readonly layerForever = Layer.succeed(Ownership, { lost: Effect.never })
}
