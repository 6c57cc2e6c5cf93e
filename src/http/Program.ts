// The running program as the interface shows it: its version, and the path under which it is mounted.
import * as Context from "effect/Context"

/** The running program; `serve` and `Http.layer` set it. */
export class Program extends Context.Reference<Program>()("signalbox/http/Program", {
  defaultValue: () => ({ version: "unknown", mountPath: "" })
}) {}
