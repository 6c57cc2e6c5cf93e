// The server's options as they are without any setting, for tests and benches.
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Config from "../../src/Config.ts"

const nothing = ConfigProvider.fromMap(new Map([["SIGNALBOX_DB", "unused"]]))

/** Every option's default; the test names the database. */
export const DEFAULTS: Config.ServerOptions = Effect.runSync(
  Effect.withConfigProvider(Config.serverOptions, nothing)
)
