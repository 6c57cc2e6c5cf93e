// The use case of callers with strategies: each request is checked by every rule at once, stored, applied to the bot
// and shown with its performance. Programs in this process are read strictly, bodies that came over HTTP leniently.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../domain/Account.ts"
import type { StartingBalances } from "../domain/Bot.ts"
import { noteOfChange } from "../domain/internal/SettingsNote.ts"
import type { Fields } from "../domain/requests/Form.ts"
import type { StrategyDraft, StrategyPatch } from "../domain/requests/StrategyDraft.ts"
import { type Reading, read, readDraft, readPatch } from "../domain/requests/StrategyRequest.ts"
import type { FullView } from "../domain/requests/StrategyView.ts"
import { Violations } from "../domain/requests/Violations.ts"
import type {
  Settings,
  Strategy,
  StrategyBusy,
  StrategyNotFound,
  TooManyStrategies
} from "../domain/Strategy.ts"
import type { TimelineNote } from "../domain/Timeline.ts"
import { Bots } from "./Bots.ts"
import { Venues } from "./feeds/Venues.ts"
import * as ShownStrategies from "./internal/ShownStrategies.ts"
import * as StrategyAdmission from "./internal/StrategyAdmission.ts"
import type { Page } from "./records/Page.ts"
import { StrategyStore } from "./StrategyStore.ts"

/**
 * The use case of strategies: create, read, change and delete them.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Account, Strategies, type StrategyDraft } from "signalbox"
 *
 * const draft: StrategyDraft = {
 *   name: "Mine", description: "", active: true, public: false,
 *   default_quote_currency: "USDT", default_exchange_name: "binance", buy_percentage: 25,
 *   stop_loss: true, stop_loss_percentage: 5,
 *   exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
 * }
 * const program = Effect.gen(function* () {
 *   const strategies = yield* Strategies
 *   const account = Account.AccountId.make(1)
 *   const { strategy_id } = yield* strategies.create(account, draft)
 *   // A misspelt field does not compile, and is refused at run time.
 *   yield* strategies.update(account, strategy_id, { stop_loss_percentage: 4 })
 * })
 * ```
 */
export class Strategies extends Context.Tag("signalbox/services/Strategies")<
  Strategies,
  {
    /** Creates a strategy. A field that no strategy has is a violation that names the nearest one. */
    readonly create: (
      account: AccountId,
      draft: StrategyDraft
    ) => Effect.Effect<FullView, Violations | TooManyStrategies>
    /** Creates a strategy from a body that came over HTTP: fields that no strategy has are ignored. */
    readonly post: (
      account: AccountId,
      body: Fields
    ) => Effect.Effect<FullView, Violations | TooManyStrategies>
    /** Returns the caller's own strategy, or anybody's public one. */
    readonly get: (account: AccountId, id: number) => Effect.Effect<FullView, StrategyNotFound>
    readonly list: (account: AccountId, page: Page) => Effect.Effect<ReadonlyArray<FullView>>
    /** Changes a strategy. A field that no strategy has is a violation that names the nearest one. */
    readonly update: (
      account: AccountId,
      id: number,
      patch: StrategyPatch
    ) => Effect.Effect<FullView, StrategyNotFound | Violations>
    /**
     * Changes a strategy by a body that came over HTTP: fields that no strategy has are ignored. `note` goes to its
     * timeline with the change.
     */
    readonly put: (
      account: AccountId,
      id: number,
      body: Fields,
      note?: TimelineNote
    ) => Effect.Effect<FullView, StrategyNotFound | Violations>
    /** Closes its paper positions at the last price, ends its bot and deletes it. */
    readonly remove: (account: AccountId, id: number) => Effect.Effect<void, StrategyNotFound | StrategyBusy>
  }
>() {
  static readonly layer = (options: { readonly maxPairs: number; readonly paper: StartingBalances }) =>
    Layer.effect(Strategies, make(options))
}

interface Options {
  readonly maxPairs: number
  readonly paper: StartingBalances
}

/** Reads a request for a change, over the settings that are stored then. */
type ReadChange = (stored: Settings) => Reading

const make = Effect.fnUntraced(function* ({ maxPairs, paper }: Options) {
  const store = yield* StrategyStore
  const bots = yield* Bots
  const venues = yield* Venues
  const admission = yield* StrategyAdmission.make(maxPairs)
  const { effectViolations, judged } = admission

  const shown = yield* ShownStrategies.make(paper)

  const one = (strategy: Strategy) =>
    Effect.flatMap(shown([strategy]), ([view]) => Effect.fromNullable(view)).pipe(Effect.orDie)

  const stored = Effect.fnUntraced(function* (account: AccountId, reading: Reading) {
    const settings = yield* judged(account, reading, yield* effectViolations(account, reading))
    return yield* one(yield* store.create(account, settings))
  })

  const create = Effect.fn("Strategies.create")((account: AccountId, draft: StrategyDraft) =>
    stored(account, readDraft(draft, venues))
  )

  const post = Effect.fn("Strategies.post")((account: AccountId, body: Fields) =>
    stored(account, read(body, Option.none(), venues))
  )

  const get = Effect.fn("Strategies.get")(function* (account: AccountId, id: number) {
    return yield* one(yield* store.visible(account, id))
  })

  const list = Effect.fn("Strategies.list")(function* (account: AccountId, page: Page) {
    return yield* shown(yield* store.list(account, page))
  })

  const update = Effect.fn("Strategies.update")((account: AccountId, id: number, patch: StrategyPatch) =>
    Effect.flatMap(
      admitted(account, id, (stored) => readPatch(patch, stored, venues)),
      one
    )
  )

  const put = Effect.fn("Strategies.put")(
    (account: AccountId, id: number, body: Fields, note?: TimelineNote) =>
      Effect.flatMap(
        admitted(account, id, (stored) => read(body, Option.some(stored), venues), Option.fromNullable(note)),
        one
      )
  )

  /** A strategy that changed while the request was checked is read and checked anew: of two updates neither is undone. */
  const admitted = (
    account: AccountId,
    id: number,
    reading: ReadChange,
    also: Option.Option<TimelineNote> = Option.none()
  ): Effect.Effect<Strategy, StrategyNotFound | Violations> =>
    Effect.gen(function* () {
      const before = yield* store.get(account, id)
      const read = reading(before.settings)
      const settings = yield* judged(account, read, yield* effectViolations(account, read))
      const note = noteOfChange(before.settings, settings, yield* Clock.currentTimeMillis)
      const notes = [...Option.toArray(note), ...Option.toArray(also)]
      const [changed] = yield* bots.admit(account, [{ before, settings, notes }])
      return yield* Effect.orDie(Effect.fromNullable(changed))
    }).pipe(
      Effect.catchTags({
        SettingsRefused: ({ errors }) => new Violations({ errors }),
        StrategyChanged: () => admitted(account, id, reading, also),
        // Only a new strategy can be one too many.
        TooManyStrategies: Effect.die
      })
    )

  const remove = Effect.fn("Strategies.remove")(function* (account: AccountId, id: number) {
    yield* bots.end(account, id)
  })

  return { create, post, get, list, update, put, remove }
})
