// The real server out of the package, with SQLite and the dashboard: its settings from the environment but for some,
// and with a rule of this app's own.
import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Logger, Option } from "effect"
import { Accounts, Validation } from "signalbox"
import { violation } from "signalbox/domain/requests/Violations"
import * as Server from "signalbox/server"
import { begin } from "./lib/trader.ts"

const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
const closed = Validation.with(() => [
  violation("name", "is taken by nobody: this house makes no new strategies")
])

const server = Layer.unwrapEffect(
  Effect.map(Server.settings, (settings) =>
    Server.layerWith(closed, { ...settings, port: 0, prices: "none", db: join(folder, "signalbox.db") })
  )
).pipe(Layer.provide(Logger.replace(Logger.defaultLogger, Logger.none)))

const program = Effect.gen(function* () {
  const { url } = yield* Server.Server
  const page = yield* Effect.promise(() => fetch(url))
  const text = yield* Effect.promise(() => page.text())
  const [asset = ""] = /\/assets\/[^"]+\.js/.exec(text) ?? []
  const script = yield* Effect.promise(() => fetch(new URL(asset, url)))
  yield* (yield* Accounts).issue("me", "full", Option.none())
  const refused = yield* Effect.flip(begin())
  return { page: page.status, script: script.status, refused: refused.message }
})

try {
  const { page, refused, script } = await Effect.runPromise(Effect.provide(program, server))
  assert.deepEqual({ page, script }, { page: 200, script: 200 })
  assert.match(refused, /^name is taken by nobody/)
  console.log(`the dashboard and its scripts are served; "${refused}"`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
