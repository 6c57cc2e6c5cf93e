// Back-tests, each in a process of its own: the one that trades decodes nothing of what strangers send to be tried.
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import * as Decimal from "../domain/Decimal.ts"
import { Violations } from "../domain/requests/Violations.ts"
import * as Place from "../prices/tape/Place.ts"
import * as Recordings from "../prices/tape/Recordings.ts"
import { Backtester } from "../services/Backtester.ts"
import * as AlertAccess from "../services/backtest/AlertAccess.ts"
import { BacktestFailed, BacktestUnreadable } from "../services/backtest/Failures.ts"
import * as Slots from "../services/backtest/Slots.ts"
import { factsOf } from "../services/feeds/MarketFacts.ts"
import { Markets } from "../services/Markets.ts"
import * as BacktestMarkets from "../trading/backtest/BacktestMarkets.ts"
import * as Child from "./Child.ts"
import type { Frame, Kind } from "./Frames.ts"
import * as Job from "./Job.ts"
import { Program } from "./Program.ts"
import * as Resident from "./Resident.ts"

export interface Options {
  readonly database: string
  /** How long one may take. */
  readonly seconds?: number
  /** How much memory one may hold. */
  readonly bytes?: number
}

/** Places that are read, and whose markets are written, in one go. */
const MAX_PLACES = 25

/**
 * Each back-test in a child process, from the parsing of its request to the writing of its answer. It reads recorded
 * prices and alerts by itself, is killed when it takes too long, too much memory, or its caller goes away, and leaves
 * the processor to those who trade.
 */
export const layer = ({ bytes = Resident.mostOf(), database, seconds = Slots.LIMIT_SECONDS }: Options) =>
  Layer.effect(
    Backtester,
    Effect.gen(function* () {
      const markets = yield* Markets
      const wanted = yield* AlertAccess.make
      const program = yield* Program
      const slot = Slots.make()
      const recordings = Recordings.make(Place.candlesIn(Place.dataFolderOf(database)))

      const answer = Effect.fnUntraced(function* (account: AccountId, child: Child.Child, body: Uint8Array) {
        yield* child.tell("Read", body)
        release(body)
        const known = yield* said(yield* child.hear, "Asks", asks.read)
        const alerts = known.alerts === undefined ? undefined : yield* wanted(account, known.alerts)
        const facts = { balance: Decimal.zero, ...factsOf(yield* markets.catalogue) }
        for (let at = 0; at < known.places.length; at += MAX_PLACES) {
          const some = known.places.slice(at, at + MAX_PLACES)
          const told = BacktestMarkets.encodeMarkets(facts, yield* attempt(() => placesOf(some)))
          yield* child.tell("Markets", Job.bytesOf(JSON.stringify(told)))
        }
        yield* child.tell("Run", toRun.write({ database: resolve(database), alerts }))
        return yield* said(yield* child.hear, "Done", Job.textOf)
      })
      const run = Effect.fnUntraced(function* (account: AccountId, body: Uint8Array) {
        const child = yield* Child.start(program)
        return yield* Effect.raceFirst(answer(account, child, body), Child.watch(child.pid, bytes))
      })
      return {
        run: (account, body) =>
          slot(
            account,
            Effect.flatMap(Slots.limited(body), (read) =>
              Slots.limited(Effect.scoped(run(account, read)), seconds)
            )
          ),
        recordings
      }
    })
  )

const asks = Job.json(Job.Asks)
const placesOf = Schema.decodeUnknownSync(Job.Places)
const toRun = Job.json(Job.Run)
const refused = Job.json(Job.Refused)

/** What an answer of this kind says; any other is an error. */
const said = <A>({ kind, payload }: Frame, wanted: Kind, read: (payload: Uint8Array) => A) => {
  if (kind === wanted) return attempt(() => read(payload))
  if (kind === "Refused")
    return Effect.flatMap(
      attempt(() => refused.read(payload)),
      Violations.of
    )
  if (kind === "Unreadable")
    return Effect.flatMap(
      attempt(() => Job.textOf(payload)),
      (message) => new BacktestUnreadable({ message })
    )
  return ended
}

const ended = new BacktestFailed({ reason: "ended" })
const attempt = <A>(read: () => A) => Effect.try({ try: read, catch: () => ended })

/** Gives the memory of bytes back that were sent, where they have it to themselves. */
const release = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
