// `signalbox demo`: starts a real server on a scratch database, replays a recorded day with real webhook calls, and
// prints what became of the alerts.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Config from "../Config.ts"
import * as ReplayClock from "../prices/ReplayClock.ts"
import * as Replayed from "../prices/Replayed.ts"
import * as Server from "../Server.ts"
import { Accounts } from "../services/Accounts.ts"
import * as PriceFeed from "../services/PriceFeed.ts"
import { ENDLESS_PATIENCE } from "../trading/AlertPatience.ts"
import * as Recorded from "./demo/Recorded.ts"
import * as Report from "./demo/Report.ts"
import * as Script from "./demo/Script.ts"
import * as Link from "./open/Link.ts"
import { untilSignalled } from "./program/ending.ts"
import { byDefault, json } from "./program/shared.ts"

const stay = Options.boolean("stay").pipe(
  Options.withDescription("keep the server running afterwards, so that you can look around")
)
const port = byDefault(Options.integer("port"), 0, "port to listen on; 0 picks a free one")

export const demo = Command.make("demo", { stay, port, json }, ({ json, port, stay }) =>
  Effect.gen(function* () {
    const recording = yield* Effect.promise(Recorded.recording)
    const clock = ReplayClock.make(recording.columns.at[0] ?? 0, 1)
    const db = yield* scratch
    const options = { ...(yield* Effect.orDie(Config.serverOptions)), port, db, crudRate: 0, alertRate: 0 }
    const plain = { host: "127.0.0.1", alertPort: 0, metricsPort: 0, tlsCert: "", tlsKey: "" }
    const layer = Server.listening({ ...options, ...plain }).pipe(
      Layer.provideMerge(Server.domain(options, ENDLESS_PATIENCE)),
      Layer.provideMerge(Layer.merge(PriceFeed.layer("recorded candles"), Replayed.layer([recording]))),
      Layer.provideMerge(Layer.setClock(clock))
    )
    yield* Effect.gen(function* () {
      const server = yield* Server.Server
      const accounts = yield* Accounts
      yield* Effect.promise(() => Recorded.record(db))
      const token = Redacted.value((yield* accounts.issue("demo", "full", Option.none())).secret)
      const hook = Redacted.value((yield* accounts.issue("demo", "alerts", Option.none())).secret)
      if (!json)
        yield* Console.log(
          `Signalbox is serving on ${server.url}, on a scratch database.\nReplaying ${Recorded.SOURCES.rise}.\n`
        )
      const script = yield* Script.play({ url: server.url, token, hook, recording, clock })
      const report = yield* Report.collect(script)
      const shown = {
        url: server.url,
        token,
        stay,
        way: stay && !json ? yield* wayIn(server, db) : [],
        width: width()
      }
      yield* Console.log(json ? JSON.stringify(report) : Report.render(report, shown))
      if (stay) return yield* untilSignalled(Effect.never)
    }).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)
)

/** The width of the terminal; undefined where standard output is none. */
const width = () => (Link.isTerminal(process.stdout) ? process.stdout.columns : undefined)

/** The link that signs in, on a terminal; elsewhere the command that prints it. */
const wayIn = Effect.fnUntraced(function* ({ port, url }: Server.Server["Type"], db: string) {
  if (!Link.isTerminal(process.stdout))
    return [
      `The dashboard is at ${url}/. For a link that signs in: signalbox open --print --port ${port} --db ${db}`
    ]
  const link = yield* Link.make(url, Option.none())
  return [`Next, ${Link.words(link)}`, "", `  ${link.url}`]
})

/** A database in a temporary folder, which is removed at the end. */
const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "signalbox-demo-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
).pipe(Effect.map((folder) => join(folder, "signalbox.db")))
