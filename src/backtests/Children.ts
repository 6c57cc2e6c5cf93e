// Runs each back-test in a child process, so that the trading process never parses a back-test's body.
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import type { FillModel } from "../domain/fills/FillModel.ts"
import { schemasOf } from "../domain/market/VenueList.ts"
import type { Fields } from "../domain/requests/Form.ts"
import * as Place from "../prices/tape/Place.ts"
import * as Recordings from "../prices/tape/Recordings.ts"
import { Backtester } from "../services/Backtester.ts"
import * as AlertAccess from "../services/backtest/AlertAccess.ts"
import { BacktestClaims } from "../services/backtest/BacktestClaims.ts"
import * as Slots from "../services/backtest/Slots.ts"
import * as Comparing from "../services/compare/Comparing.ts"
import * as GatheredMessage from "../services/compare/GatheredMessage.ts"
import { type Gathered, gather, NotCompared, type Wanted } from "../services/compare/Gathering.ts"
import { Decisions } from "../services/engine/Decisions.ts"
import { factsOf } from "../services/feeds/MarketFacts.ts"
import { Venues } from "../services/feeds/Venues.ts"
import { Markets } from "../services/Markets.ts"
import { WhatIfTries } from "../services/records/WhatIfTries.ts"
import * as GatheringTried from "../services/whatIf/GatheringTried.ts"
import * as Child from "./Child.ts"
import * as Job from "./Job.ts"
import { attempt, childEnded, chunksOf, payloadOf, sendMarkets } from "./Payloads.ts"
import { Program } from "./Program.ts"
import * as Resident from "./Resident.ts"
import { triedIn } from "./TriedIn.ts"

export interface Options {
  /** The file, beside which prices are recorded. */
  readonly database: string
  /** The address of the database that holds the records, where that is none of the file. */
  readonly postgres?: Redacted.Redacted
  /** How the server makes paper fills nearer to life, if it does. */
  readonly paperFills?: FillModel | undefined
  /** The time limit of one back-test. */
  readonly seconds?: number
  /** The memory limit of one back-test. */
  readonly bytes?: number
}

/**
 * Runs each back-test in a child process, which parses the request, reads recorded prices and alerts, and writes the
 * response. The child runs at low priority. It is killed at its time limit, at its memory limit, or when its caller
 * disconnects.
 */
export const layer = ({
  bytes = Resident.mostOf(),
  database,
  paperFills,
  postgres,
  seconds = Slots.LIMIT_SECONDS
}: Options) =>
  Layer.effect(
    Backtester,
    Effect.gen(function* () {
      const markets = yield* Markets
      const lacksOwn = (yield* Decisions).own !== undefined
      const wanted = yield* AlertAccess.make
      const program = yield* Program
      const venues = yield* Venues
      const tries = yield* WhatIfTries
      const records = yield* Effect.context<GatheringTried.Sources>()
      const placesOf = Schema.decodeUnknownSync(Job.placesOf(schemasOf(venues).exchange))
      const { inChild, left } = childrenOf({ program, bytes, seconds })
      const slot = Slots.make(left, yield* BacktestClaims)
      const recordings = Recordings.make(Place.candlesIn(Place.dataFolderOf(database)))

      // By a pipe: neither arguments nor environments hold the address.
      const places = {
        database: resolve(database),
        postgres: postgres === undefined ? undefined : Redacted.value(postgres)
      }

      const answer = Effect.fnUntraced(function* (account: AccountId, child: Child.Child, body: Uint8Array) {
        yield* child.send("Venues", toVenues.write(venues))
        yield* child.send("Read", body)
        release(body)
        const known = yield* payloadOf(yield* child.hear, "Asks", asks.read)
        const alerts = known.alerts === undefined ? undefined : yield* wanted(account, known.alerts)
        const facts = factsOf(yield* markets.catalogue)
        for (const some of chunksOf(known.places))
          yield* sendMarkets(child, facts, yield* attempt(() => placesOf(some)))
        yield* child.send("Run", toRun.write({ ...places, lacksOwn, alerts }))
        return yield* payloadOf(yield* child.hear, "Done", Job.textOf)
      })
      const compare = Effect.fnUntraced(function* (account: AccountId, id: number, wanted: Wanted) {
        const gathered = yield* Effect.provide(gather(account, id, wanted), records)
        const facts = factsOf(yield* markets.catalogue)
        const all = { database: places.database, facts, gathered, paperFills }
        return yield* inChild((child) => compared(child, all))
      })
      const whatIf = Effect.fnUntraced(function* (account: AccountId, id: number, body: Fields) {
        const request = { body, venues, recordings: yield* recordings }
        const tried = yield* Effect.provide(GatheringTried.gather(account, id, request), records)
        const facts = factsOf(yield* markets.catalogue)
        const all = { database: places.database, facts, tried, paperFills, lacksOwn, tries }
        return yield* inChild((child) => triedIn(child, all))
      })
      return {
        run: (account, body) =>
          slot(account, body, (received) => inChild((child) => answer(account, child, received))),
        compare: (account, id, wanted) => slot(account, Effect.void, () => compare(account, id, wanted)),
        whatIf: (account, id, body) => slot(account, body, (received) => whatIf(account, id, received)),
        recordings
      }
    })
  )

interface Limits {
  readonly program: ReadonlyArray<string>
  readonly bytes: number
  readonly seconds: number
}

/** Starts a child for one use, within the limits. `left` counts those that were killed and do not end. */
const childrenOf = ({ bytes, program, seconds }: Limits) => {
  // They still hold their memory.
  let left = 0
  const onLeft: Child.OnLeft = (exited) => {
    left++
    void exited.finally(() => left--)
  }
  const inChild = <A, E>(use: (child: Child.Child) => Effect.Effect<A, E>) => {
    const used = Effect.flatMap(Child.start(program, onLeft), (child) =>
      Effect.raceFirst(use(child), Child.watch(child.pid, bytes))
    )
    return Slots.limited(Effect.scoped(used), seconds)
  }
  return { inChild, left: () => left }
}

interface Compared extends Pick<Options, "database" | "paperFills"> {
  readonly facts: ReturnType<typeof factsOf>
  readonly gathered: Gathered
}

/** Has the child compare what was gathered. */
const compared = Effect.fnUntraced(
  function* (child: Child.Child, { database, facts, gathered, paperFills }: Compared) {
    for (const some of chunksOf(Comparing.placesOf(gathered))) yield* sendMarkets(child, facts, some)
    for (const part of GatheredMessage.partsOf(gathered)) yield* child.send("Rows", Job.bytesOf(part))
    const terms = GatheredMessage.termsOf(gathered, paperFills)
    yield* child.send("Compare", toCompare.write({ database, terms }))
    return yield* payloadOf(yield* child.hear, "Done", Job.textOf)
  },
  Effect.catchTags({
    BacktestUnreadable: ({ message }) => new NotCompared({ message }),
    // A comparison is no request that could break rules.
    Violations: () => childEnded
  })
)

const asks = Job.json(Job.Asks)
const toRun = Job.json(Job.Run)
const toCompare = Job.json(Job.Compare)
const toVenues = Job.json(Job.Venues)

/** Frees the buffer of bytes that were sent, unless other bytes share it. */
const release = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
