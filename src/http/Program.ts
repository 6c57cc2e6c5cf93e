import * as Context from "effect/Context"

/** The running program, as the dashboard names it. `serve` says its version. */
export class Program extends Context.Reference<Program>()("signalbox/http/Program", {
  defaultValue: () => ({ version: "unknown" })
}) {}
