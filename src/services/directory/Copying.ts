// The use case of copies: makes a strategy of another's settings, says what the original changed since, and takes it
// over when the copy's owner wants it.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { StartingBalances } from "../../domain/Bot.ts"
import { type Copy, type NotACopy, OriginalGone } from "../../domain/directory/Copy.ts"
import { differences, isSame, tradingRows } from "../../domain/directory/Differences.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import { read, shown } from "../../domain/requests/StrategyRequest.ts"
import type { FullView, Row } from "../../domain/requests/StrategyView.ts"
import type { Violations } from "../../domain/requests/Violations.ts"
import type { Settings, Strategy, StrategyNotFound, TooManyStrategies } from "../../domain/Strategy.ts"
import { Venues } from "../feeds/Venues.ts"
import * as ShownStrategies from "../internal/ShownStrategies.ts"
import * as StrategyAdmission from "../internal/StrategyAdmission.ts"
import { Signals } from "../Signals.ts"
import { Strategies } from "../Strategies.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { Copies } from "./Copies.ts"

/** A new copy, and what could not come along. */
export interface Copied {
  readonly view: FullView
  readonly warnings: ReadonlyArray<string>
}

/** A setting that the original changed: its row, both present values, and whether a sync takes it over. */
export interface Change {
  readonly row: Row
  readonly own: unknown
  readonly original: unknown
  readonly takes: boolean
}

/** Where a copy stands to its original. */
export interface Origin {
  readonly own: Strategy
  readonly original: Strategy
  readonly copy: Copy
  readonly changes: ReadonlyArray<Change>
  readonly warnings: ReadonlyArray<string>
}

/** A copy after a sync, with the names of the fields that were taken over. */
export interface Synced extends Copied {
  readonly changed: ReadonlyArray<string>
}

/** Copies strategies, and syncs them with their originals. */
export class Copying extends Context.Tag("signalbox/services/directory/Copying")<
  Copying,
  {
    /** Copies one's own strategy or a public one; the fields of a body that came over HTTP override its settings. */
    readonly copy: (
      account: AccountId,
      id: number,
      body: Fields
    ) => Effect.Effect<Copied, StrategyNotFound | Violations | TooManyStrategies>
    /** Says what the original of one's own copy changed. */
    readonly origin: (
      account: AccountId,
      id: number
    ) => Effect.Effect<Origin, StrategyNotFound | NotACopy | OriginalGone>
    /** Takes over what the original changed, under all rules of an update. A second time it changes nothing. */
    readonly sync: (
      account: AccountId,
      id: number
    ) => Effect.Effect<Synced, StrategyNotFound | NotACopy | OriginalGone | Violations>
  }
>() {
  static readonly layer = (options: Options) => Layer.effect(Copying, make(options))
}

interface Options {
  readonly maxPairs: number
  readonly paper: StartingBalances
}

const WITHOUT_SIGNAL = "the signal of the original is private: the copy follows none"
const SIGNAL_STAYS = "the original follows a private signal now: signal_id stays as it is"

const make = Effect.fnUntraced(function* ({ maxPairs, paper }: Options) {
  const store = yield* StrategyStore
  const copies = yield* Copies
  const signals = yield* Signals
  const strategies = yield* Strategies
  const venues = yield* Venues
  const views = yield* ShownStrategies.make(paper)
  const admission = yield* StrategyAdmission.make(maxPairs)

  const mayFollow = (account: AccountId, { signalId }: Settings) =>
    signalId === undefined ? Effect.succeed(true) : Effect.isSuccess(signals.visible(account, signalId))

  const copy = Effect.fn("Copying.copy")(function* (account: AccountId, id: number, body: Fields) {
    const original = yield* store.visible(account, id)
    const isOwn = body["signal_id"] !== undefined
    const comes = isOwn || (yield* mayFollow(account, original.settings))
    const reading = read(body, Option.some(asCopied(original.settings, comes)), venues)
    const known = yield* admission.effectViolations(account, reading)
    const settings = yield* admission.judged(account, reading, known)
    const takenAt = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const made = { origin: original.id, base: original.settings, kept: chosenIn(reading.given), takenAt }
    const [view] = yield* views([yield* store.create(account, settings, made)])
    if (view === undefined) return yield* Effect.dieMessage("a strategy has no view")
    return { view, warnings: comes ? [] : [WITHOUT_SIGNAL] }
  })

  const origin = Effect.fn("Copying.origin")(function* (account: AccountId, id: number) {
    const copy = yield* copies.get(account, id)
    const own = yield* store.get(account, id)
    const original = yield* Effect.mapError(store.visible(account, copy.origin), () => new OriginalGone())
    const isFollowable = yield* mayFollow(account, original.settings)
    const changes = changesOf({ copy, own, original }, isFollowable)
    const stays = changes.some(({ row, takes }) => row.request === "signal_id" && !takes) && !isFollowable
    return { copy, own, original, changes, warnings: stays ? [SIGNAL_STAYS] : [] }
  })

  const sync = Effect.fn("Copying.sync")(function* (account: AccountId, id: number) {
    const { changes, copy, original, own, warnings } = yield* origin(account, id)
    const taken = changes.filter(({ takes }) => takes)
    const patch = Object.fromEntries(taken.map(({ original, row }) => [row.request, original]))
    const view =
      taken.length === 0 ? yield* strategies.get(account, id) : yield* strategies.put(account, id, patch)
    if (differences(copy.base, original.settings).length > 0) {
      const takenAt = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const kept = keptOf({ copy, own, original })
      yield* copies.taken(account, id, { base: original.settings, kept, takenAt })
    }
    return { view, warnings, changed: taken.map(({ row }) => row.request) }
  })

  return { copy, origin, sync }
})

/** The settings that a copy begins with: private, under no name of the owner, and with the signal where it comes along. */
const asCopied = (settings: Settings, comes: boolean): Settings => {
  const { displayName: _, signalId, ...others } = settings
  const hidden = { ...others, public: false }
  return signalId === undefined || !comes ? hidden : { ...hidden, signalId }
}

/** The fields of trading among those of a request. */
const chosenIn = (given: ReadonlySet<string>): ReadonlyArray<string> =>
  tradingRows.map(({ request }) => request).filter((request) => given.has(request))

interface Three {
  readonly copy: Copy
  readonly own: Strategy
  readonly original: Strategy
}

/** The fields that the copy's owner chose: when it was copied, or since. */
const keptOf = ({ copy, original, own }: Three): ReadonlyArray<string> =>
  tradingRows
    .filter(
      (row) =>
        copy.kept.includes(row.request) ||
        (!isSame(row, own.settings, copy.base) && !isSame(row, own.settings, original.settings))
    )
    .map(({ request }) => request)

/**
 * What the original changed and the copy does not have. The fields of a feature stay together: an original that switches
 * a stop loss off does not take away one whose distance the copy's owner chose.
 */
const changesOf = (three: Three, isFollowable: boolean): ReadonlyArray<Change> => {
  const { copy, original, own } = three
  const kept = new Set(keptOf(three))
  const features = new Set(tradingRows.filter(({ request }) => kept.has(request)).map((row) => row.feature))
  return differences(copy.base, original.settings)
    .filter((row) => !isSame(row, own.settings, original.settings))
    .map((row) => ({
      row,
      own: shown(row, own.settings),
      original: shown(row, original.settings),
      takes:
        !kept.has(row.request) &&
        !(row.feature !== undefined && features.has(row.feature)) &&
        (row.request !== "signal_id" || isFollowable)
    }))
}
