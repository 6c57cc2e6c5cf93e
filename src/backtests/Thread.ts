import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decimal from "../domain/Decimal.ts"
import { Violations } from "../domain/requests/Violations.ts"
import * as Place from "../prices/tape/Place.ts"
import * as Recordings from "../prices/tape/Recordings.ts"
import { Backtester } from "../services/Backtester.ts"
import { BacktestFailed, BacktestUnreadable } from "../services/backtest/Failures.ts"
import * as Slots from "../services/backtest/Slots.ts"
import * as Wanted from "../services/backtest/Wanted.ts"
import { factsOf } from "../services/feeds/MarketFacts.ts"
import { Markets } from "../services/Markets.ts"
import * as BacktestMarkets from "../trading/backtest/BacktestMarkets.ts"
import type { Answer, Message } from "./Job.ts"

/** In the built program beside its entry, at the top of what it holds; else beside this file. */
const address = (): string | URL =>
  import.meta.url.includes("$bunfs")
    ? new URL("./backtests/worker.ts", Bun.pathToFileURL(Bun.main)).href
    : new URL("./worker.ts", import.meta.url)

export interface Options {
  readonly database: string
  /** How long one may take. */
  readonly seconds?: number
}

/**
 * Each back-test in a thread of its own, from the parsing of its request to the writing of its answer: this thread has
 * requests to answer. It reads recorded prices and alerts by itself, and ends with its caller.
 */
export const layer = ({ database, seconds = Slots.LIMIT_SECONDS }: Options) =>
  Layer.effect(
    Backtester,
    Effect.gen(function* () {
      const markets = yield* Markets
      const wanted = yield* Wanted.make
      const slot = Slots.make()
      const recordings = Recordings.make(Place.candlesIn(Place.dataFolderOf(database)))

      const answer = Effect.fnUntraced(function* (account: Parameters<typeof wanted>[0], body: Uint8Array) {
        const worker = yield* Effect.acquireRelease(
          Effect.sync(() => new Worker(address())),
          (worker) => Effect.sync(() => void worker.terminate())
        )
        const asks = yield* tell(worker, { _tag: "Read", body })
        if (asks._tag === "Done") return asks.json
        if (asks._tag !== "Asks") return yield* refusalOf(asks)
        const alerts = asks.alerts === undefined ? undefined : yield* wanted(account, asks.alerts)
        // The balance is the worker's own business: it is of the request.
        const ground = BacktestMarkets.encodeMarkets(
          { balance: Decimal.zero, ...factsOf(yield* markets.catalogue) },
          asks.places
        )
        const done = yield* tell(worker, { _tag: "Run", ground, alerts, database })
        return done._tag === "Done" ? done.json : yield* refusalOf(done)
      })
      return {
        run: (account, body) =>
          slot(
            account,
            Effect.flatMap(Slots.limited(body), (bytes) =>
              Slots.limited(Effect.scoped(answer(account, bytes)), seconds)
            )
          ),
        recordings
      }
    })
  )

const refusalOf = (answer: Exclude<Answer, { _tag: "Done" }>) => {
  switch (answer._tag) {
    case "Refused":
      return Violations.of(answer.violations)
    case "Unreadable":
      return new BacktestUnreadable({ message: answer.text })
    case "Asks":
      return new BacktestFailed({ reason: "ended" })
  }
}

const tell = (worker: Worker, message: Message) =>
  Effect.async<Answer, BacktestFailed>((resume) => {
    const ended = () => resume(new BacktestFailed({ reason: "ended" }))
    worker.onmessage = ({ data }: MessageEvent<Answer>) => resume(Effect.succeed(data))
    worker.onerror = ended
    worker.addEventListener("close", ended)
    worker.postMessage(message, message._tag === "Read" ? transferred(message.body) : [])
  })

/** Bytes that have a buffer to themselves go over without being copied. */
const transferred = ({ buffer, byteLength }: Uint8Array): Array<ArrayBuffer> =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
