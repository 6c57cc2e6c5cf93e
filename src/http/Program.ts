// The running program's version, for the dashboard.
import * as Context from "effect/Context"

/** The running program; `serve` sets its version. */
export class Program extends Context.Reference<Program>()("signalbox/http/Program", {
  defaultValue: () => ({ version: "unknown" })
}) {}
