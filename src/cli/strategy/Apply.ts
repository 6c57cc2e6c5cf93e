// `signalbox strategy apply`: makes and updates strategies from files, by name. A file is applied whole or not at all: by
// the running server between two alerts, or by this command where no server runs.
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { SETTINGS } from "../../Config.ts"
import type { AccountId } from "../../domain/Account.ts"
import type { BatchEntry } from "../../domain/Command.ts"
import type { Database } from "../../domain/requests/Database.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import * as Records from "../../Records.ts"
import { Markets } from "../../services/Markets.ts"
import { Signals } from "../../services/Signals.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { rules, validate } from "../../trading/StrategyRules.ts"
import * as Applying from "../apply/Applying.ts"
import type { Applied } from "../apply/Report.ts"
import { usable } from "../config/options.ts"
import { leaveBatch } from "./CommandClient.ts"
import { type Planned, plan, type World } from "./Plan.ts"
import { onLive } from "./Ports.ts"
import * as Stopped from "./Stopped.ts"
import * as UnknownPairs from "./UnknownPairs.ts"

export const apply = Command.make("apply", Applying.options("strategy"), (options) =>
  Effect.gen(function* () {
    const account = yield* Applying.accountOf(options.account)
    const maxPairs = yield* usable(SETTINGS.maxPairs)
    const ask = yield* UnknownPairs.asker
    const one = (records: ReadonlyArray<Fields>) => applied({ ...options, account, maxPairs, ask }, records)
    yield* Applying.run({ ...options, idName: "strategy_id" }, one)
  }).pipe(onLive(options.db))
).pipe(
  Command.withDescription(
    "create and update strategies from files, by name; each file is applied whole or not at all"
  )
)

interface Target {
  readonly db: Database
  readonly dryRun: boolean
  readonly account: AccountId
  readonly maxPairs: number
  readonly ask: Effect.Effect.Success<typeof UnknownPairs.asker>
}

/** How often a plan is made anew because somebody else changed a strategy meanwhile. */
const ATTEMPTS = 3

/** The result of a file's records; fails with all that is wrong with them. */
const applied = Effect.fnUntraced(function* (target: Target, records: ReadonlyArray<Fields>) {
  let refused: unknown
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const planned = yield* plannedOn(target, records)
    const entries = planned.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
    if (target.dryRun || entries.length === 0) return planned.map(shown)
    const result = yield* Effect.either(committed(target, entries))
    if (Either.isRight(result)) return yield* withIds(target.account, planned)
    // The same plan again would be refused again.
    const { message } = result.left
    if (refused === message) break
    refused = message
  }
  return yield* new Applying.NotApplied({ errors: [String(refused)] })
})

/** The plan. Where a pair is not known, its exchange is asked first; what was tried is told with what is still wrong. */
const plannedOn = Effect.fnUntraced(function* (target: Target, records: ReadonlyArray<Fields>) {
  const world = yield* worldOf(target, records)
  const first = plan(records, world)
  if (Either.isRight(first)) return first.right
  const tried = yield* target.ask(UnknownPairs.exchangesIn(records, world))
  const next = tried.length === 0 ? first : plan(records, yield* worldOf(target, records))
  if (Either.isRight(next)) return next.right
  return yield* new Applying.NotApplied({ errors: [...next.left, ...tried] })
})

const committed = Effect.fnUntraced(function* (
  { account, db, maxPairs }: Target,
  entries: ReadonlyArray<BatchEntry>
) {
  if (yield* Records.isServed(db)) yield* leaveBatch(db, account, entries)
  else yield* Stopped.apply(db, { account, entries, maxPairs })
})

/** All that the plan of these records reads. */
const worldOf = Effect.fnUntraced(function* ({ account, maxPairs }: Target, records: ReadonlyArray<Fields>) {
  const signals = yield* Signals
  const own = yield* signals.list(account, {})
  const ids = new Set(records.map(({ signal_id }) => signal_id).filter((id) => typeof id === "number"))
  const others = yield* Effect.forEach(ids, (id) => Effect.option(signals.visible(account, id)))
  const catalogue = yield* Effect.flatMap(Markets, (markets) => markets.catalogue)
  const world: World = {
    account,
    maxPairs,
    strategies: yield* Effect.flatMap(StrategyStore, (store) => store.list(account, {})),
    signals: [
      ...own,
      ...others.flatMap((it) => (it._tag === "Some" && it.value.account !== account ? [it.value] : []))
    ],
    exchange: catalogue.exchange,
    market: catalogue.market,
    rules: validate(rules)
  }
  return world
})

const shown = ({ entry: _, ...record }: Planned): Applied => record

/** The records with the ids of those that were created. */
const withIds = Effect.fnUntraced(function* (account: AccountId, planned: ReadonlyArray<Planned>) {
  const all = yield* Effect.flatMap(StrategyStore, (store) => store.list(account, {}))
  return planned.map((record): Applied => {
    const { id, name } = record
    return { ...shown(record), id: id ?? all.find(({ settings }) => settings.name === name)?.id }
  })
})
