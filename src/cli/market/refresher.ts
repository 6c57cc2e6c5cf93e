// Refreshes markets while the server runs: soon after the start, once a day, and where somebody names a pair that is not
// known. A process of its own does it, so that neither memory nor requests of the server depend on an exchange's answer.
import { resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { SETTINGS } from "../../Config.ts"
import {
  EXCHANGE_NAMES,
  type ExchangeName,
  isKnownExchange,
  type KnownExchange
} from "../../domain/Market.ts"
import type { Database } from "../../domain/requests/Database.ts"
import type { MarketRefresher, RefreshState } from "../../services/feeds/MarketRefresher.ts"
import { Markets } from "../../services/Markets.ts"
import * as Child from "../program/child.ts"
import { plain } from "../program/table.ts"

/** The pause after the start, which belongs to webhooks and prices; and how often it is seen what is due. */
const FIRST = "15 seconds"
const LOOK = "1 hour"
/** An exchange is not asked again within this time on request (ms), and within the second after a failure. */
const AGAIN_MS = 600_000
const AGAIN_AFTER_FAILURE_MS = 60_000
/** The longest that a refresh may take (ms), and the most lines of it that are logged. */
const LIMIT_MS = 300_000
const MOST_LINES = 14
const MOST_LETTERS = 300

/** Refreshes these exchanges; returns lines about those that were not refreshed. */
export type Refresh = (exchanges: ReadonlyArray<KnownExchange>) => Effect.Effect<ReadonlyArray<string>>

/** A refresher of a server: `ask` takes requests, `run` works on them for as long as it runs, `states` tells how far. */
export const make = Effect.fnUntraced(function* (everyHours: number, refresh: Refresh) {
  const requests = yield* Queue.dropping<KnownExchange>(EXCHANGE_NAMES.length)
  const board = new Map<ExchangeName, RefreshState>()
  const put = (exchanges: ReadonlyArray<KnownExchange>, at: number, state: Partial<RefreshState>) => {
    for (const name of exchanges)
      board.set(name, { ...NEW, ...board.get(name), at: Math.floor(at / 1000), ...state })
  }

  const ask: typeof MarketRefresher.Service.ask = (exchange) =>
    Effect.gen(function* () {
      if (!isKnownExchange(exchange)) return undefined
      const now = yield* Clock.currentTimeMillis
      const { at = 0, notBefore = Number.NEGATIVE_INFINITY } = board.get(exchange) ?? {}
      if (now < notBefore * 1000)
        return `${exchange} was asked for its markets ${Math.ceil(now / 1000 - at)} seconds ago: if it lists the pair, try again in a minute`
      put([exchange], now, { stage: "waiting", notBefore: (now + AGAIN_MS) / 1000, failure: undefined })
      yield* Queue.offer(requests, exchange)
      return `${exchange} is being asked for its markets now: if it lists the pair, try again in a minute`
    })

  const refreshed = Effect.fnUntraced(function* (exchanges: ReadonlyArray<KnownExchange>) {
    if (exchanges.length === 0) return
    const began = yield* Clock.currentTimeMillis
    put(exchanges, began, { stage: "running", failure: undefined })
    const lines = yield* refresh(exchanges)
    const ended = yield* Clock.currentTimeMillis
    const at = yield* Effect.flatMap(Markets, ({ refreshes }) => refreshes)
    const failed = exchanges.filter(
      (name) => lines.length > 0 && (at.get(name) ?? 0) < Math.floor(began / 1000)
    )
    put(exchanges, ended, { stage: "done" })
    for (const name of failed)
      put([name], ended, {
        stage: "failed",
        notBefore: (ended + AGAIN_AFTER_FAILURE_MS) / 1000,
        failure: failureOf(name, lines)
      })
    for (const line of lines) yield* Effect.logWarning(line)
    if (lines.length === 0) yield* Effect.logInfo(`markets are refreshed: ${exchanges.join(", ")}`)
  })
  const due = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const at = yield* Effect.flatMap(Markets, ({ refreshes }) => refreshes)
    return EXCHANGE_NAMES.filter(
      (name) => now / 1000 - (at.get(name) ?? Number.NEGATIVE_INFINITY) >= everyHours * 3600
    )
  })
  const daily = Effect.forever(Effect.zipRight(Effect.flatMap(due, refreshed), Effect.sleep(LOOK)))
  const onDemand = Effect.forever(
    Effect.flatMap(Queue.takeBetween(requests, 1, EXCHANGE_NAMES.length), (names) => refreshed([...names]))
  )
  const run = Effect.zipRight(Effect.sleep(FIRST), Effect.all([daily, onDemand], { concurrency: 2 }))
  const states: typeof MarketRefresher.Service.states = Effect.sync(() => new Map(board))
  return { isOn: true, ask, states, run: Effect.asVoid(run) }
})

const NEW: RefreshState = { stage: "waiting", at: 0, notBefore: undefined, failure: undefined }

/** The lines about one exchange; all of them where none names it. */
const failureOf = (name: ExchangeName, lines: ReadonlyArray<string>): string => {
  const own = lines.filter((line) => line.toLowerCase().includes(name))
  return (own.length > 0 ? own : lines).join("; ").slice(0, MOST_LETTERS)
}

/** Refreshes by `signalbox market refresh` in a process of low priority, which commits to the same database. */
export const inProcess =
  (database: Database): Refresh =>
  (exchanges) =>
    Effect.promise(async () => {
      const file = database._tag === "File" ? ["--db", resolve(database.filename)] : []
      const child = Bun.spawn([...Child.program(), "market", "refresh", ...exchanges, ...file], {
        cwd: "/",
        env: environment(database),
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
        timeout: LIMIT_MS
      })
      Child.lower(child.pid)
      const [code, text] = await Promise.all([child.exited, new Response(child.stderr).text()])
      if (code === 0) return []
      const lines = text.split("\n").filter((line) => line !== "")
      const failures = lines
        .slice(0, MOST_LINES)
        .map((line) => plain(line.replace(/^signalbox: /, "").slice(0, MOST_LETTERS)))
      return failures.length > 0 ? failures : ["markets could not be refreshed"]
    }).pipe(
      Effect.catchAllDefect((cause) =>
        Effect.as(Effect.logWarning("markets could not be refreshed", cause), [])
      )
    )

/** The server's environment may hold secrets: only what concerns the network and the database. */
const environment = (database: Database): Record<string, string> => ({
  ...Child.environment(database._tag === "File" ? [] : POSTGRES),
  // Not on the command line, which everybody sees.
  ...(database._tag === "File" ? {} : { [SETTINGS.database.variable]: Redacted.value(database.url) })
})

/** Where the driver looks for a password that is not in the address. */
const POSTGRES = ["PGPASSFILE", "PGPASSWORD", "PGUSER", "HOME"]
