// The recorded alerts of a database of Postgres, for a process that does nothing else with it.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { ChangeWatch } from "../sql/client/ChangeWatch.ts"
import type { DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import * as RecordedAlerts from "../sql/readers/RecordedAlerts.ts"
import type { Options } from "./client/Address.ts"
import * as Client from "./client/Client.ts"

/** Opens the database, which is only read, for as long as the scope lives. */
export const reader = (
  options: Options
): Effect.Effect<RecordedAlerts.Reader, DatabaseUnavailable, Scope.Scope> =>
  Effect.flatMap(Layer.build(Layer.provide(Client.layer(options), ChangeWatch.layer)), (context) =>
    Effect.provide(RecordedAlerts.make, context)
  )
