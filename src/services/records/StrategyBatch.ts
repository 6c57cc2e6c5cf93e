// The use case of strategies as files: several are made and changed together, all of them or none, by the rules of each
// single request.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../../domain/Account.ts"
import type { BatchEntry } from "../../domain/Command.ts"
import { noteOfChange } from "../../domain/internal/SettingsNote.ts"
import { type Reading, read } from "../../domain/requests/StrategyRequest.ts"
import type { Violations } from "../../domain/requests/Violations.ts"
import { type Strategy, StrategyChanged, type TooManyStrategies } from "../../domain/Strategy.ts"
import { Bots } from "../Bots.ts"
import { Venues } from "../feeds/Venues.ts"
import * as StrategyAdmission from "../internal/StrategyAdmission.ts"
import type { Markets } from "../Markets.ts"
import type { Signals } from "../Signals.ts"
import { type StrategyChange, StrategyStore } from "../StrategyStore.ts"
import type { Validation } from "../Validation.ts"

/** A strategy of the batch breaks a rule; nothing was changed. */
export class BatchRefused extends Schema.TaggedError<BatchRefused>()("BatchRefused", {
  name: Schema.String,
  errors: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
}) {
  override get message() {
    const fields = Object.entries(this.errors).flatMap(([field, texts]) =>
      texts.map((text) => `${field} ${text}`)
    )
    return `${this.name}: ${fields.join("; ")}`
  }
}

/** One entry with the strategy that it changes, and its request as far as it can be read. */
interface Planned {
  readonly name: string
  readonly own: Strategy | undefined
  readonly reading: Reading
}

/**
 * Several strategies at once, for programs that keep them as files: `signalbox strategy apply`. Each entry is the body of
 * a creation, or of an update of a strategy as it was read.
 */
export class StrategyBatch extends Context.Tag("signalbox/services/records/StrategyBatch")<
  StrategyBatch,
  {
    /**
     * Makes and changes strategies, all of them or none. `StrategyChanged` where one has changed since it was read, or
     * where the name of a new one is taken; `BatchRefused` names the first that breaks a rule.
     */
    readonly apply: (
      account: AccountId,
      entries: ReadonlyArray<BatchEntry>
    ) => Effect.Effect<ReadonlyArray<Strategy>, BatchRefused | StrategyChanged | TooManyStrategies>
  }
>() {
  static readonly layer = (options: { readonly maxPairs: number }) =>
    Layer.effect(
      StrategyBatch,
      Effect.flatMap(Bots, (bots) => make(options.maxPairs, bots.admit))
    )
}

/** How the changes are stored, and given to the bots where these run. */
export type Admit = (typeof Bots.Service)["admit"]

/** The use case over bots that may be at rest: `maxPairs` is of a strategy. */
export const make = (
  maxPairs: number,
  admit: Admit
): Effect.Effect<typeof StrategyBatch.Service, never, StrategyStore | Markets | Signals | Validation> =>
  over(maxPairs, admit)

const over = Effect.fnUntraced(function* (maxPairs: number, admit: Admit) {
  const store = yield* StrategyStore
  const venues = yield* Venues
  const admission = yield* StrategyAdmission.make(maxPairs)

  const planned = Effect.fnUntraced(function* (account: AccountId, { before, body }: BatchEntry) {
    const own =
      before === undefined
        ? undefined
        : yield* Effect.mapError(store.get(account, before.id), () => new StrategyChanged())
    if (own !== undefined && own.revision !== before?.revision) return yield* new StrategyChanged()
    const reading = read(
      body,
      Option.map(Option.fromNullable(own), ({ settings }) => settings),
      venues
    )
    const name = own?.settings.name ?? String(body["name"])
    return { name, own, reading } satisfies Planned
  })

  /** The settings of an entry by every rule, and its place among the changes. */
  const checked = (account: AccountId, { name, own, reading }: Planned) =>
    Effect.gen(function* () {
      const known = yield* admission.effectViolations(account, reading)
      return { own, settings: yield* admission.judged(account, reading, known) }
    }).pipe(refusedAs(name))

  const apply = Effect.fn("StrategyBatch.apply")(function* (
    account: AccountId,
    entries: ReadonlyArray<BatchEntry>
  ) {
    const plan = yield* Effect.forEach(entries, (entry) => planned(account, entry))
    const all = yield* Effect.forEach(plan, (it) => checked(account, it))
    const now = yield* Clock.currentTimeMillis
    const changes = all.map(({ own, settings }): StrategyChange => {
      if (own === undefined) return { settings, notes: [] }
      return { before: own, settings, notes: Option.toArray(noteOfChange(own.settings, settings, now)) }
    })
    return yield* Effect.catchTag(
      admit(account, changes),
      "SettingsRefused",
      ({ errors, index }) => new BatchRefused({ name: plan[index]?.name ?? "", errors })
    )
  })

  return { apply }
})

const refusedAs =
  (name: string) =>
  <A, R>(self: Effect.Effect<A, Violations, R>): Effect.Effect<A, BatchRefused, R> =>
    Effect.mapError(self, ({ errors }) => new BatchRefused({ name, errors }))
