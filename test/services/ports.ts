// Both sets of ports, and what the contract suites have in common.
import { describe, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer, Redacted } from "effect"
import type { Records } from "../../src/Composition.ts"
import type { AccountId } from "../../src/domain/Account.ts"
import { partitionOf } from "../../src/domain/Partition.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import type { Backups } from "../../src/services/Backups.ts"
import { Copies } from "../../src/services/directory/Copies.ts"
import { Directory } from "../../src/services/directory/Directory.ts"
import { Events } from "../../src/services/Events.ts"
import type { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { EquityHistory } from "../../src/services/equity/EquityHistory.ts"
import * as MemoryMarkets from "../../src/services/feeds/MemoryMarkets.ts"
import { Storage } from "../../src/services/health/Storage.ts"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Commands } from "../../src/services/money/Commands.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Orders } from "../../src/services/money/Orders.ts"
import { Vault } from "../../src/services/money/Vault.ts"
import { Chats } from "../../src/services/notify/Chats.ts"
import { Targets } from "../../src/services/notify/Targets.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { MemoryState } from "../../src/services/records/MemoryState.ts"
import { Results } from "../../src/services/records/Results.ts"
import { SignInCodes } from "../../src/services/records/SignInCodes.ts"
import { Trades } from "../../src/services/records/Trades.ts"
import { WhatIfTries } from "../../src/services/records/WhatIfTries.ts"
import { ActiveRules } from "../../src/services/rules/ActiveRules.ts"
import { RuleWitnesses } from "../../src/services/rules/RuleWitnesses.ts"
import { Sessions } from "../../src/services/Sessions.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import * as Client from "../../src/sqlite/client/Client.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as Contract from "../../src/testing/Contract.ts"
import * as MasterKey from "../../src/vault/MasterKey.ts"
import * as Keyed from "../../src/vault/Vault.ts"

export { sender } from "../../src/testing/contracts/people.ts"
export { signalDraft as aSignal } from "../../src/testing/Fixtures.ts"

export type Ports = Exclude<Records, Backups | ExchangeAccounts>

export type Subject = Layer.Layer<Ports, unknown>

export const memory: Subject = Layer.mergeAll(
  Sessions.layerMemory.pipe(Layer.provideMerge(Accounts.layerMemory)),
  Layer.merge(Events.layerMemory, Results.layerMemory).pipe(Layer.provideMerge(Journal.layerMemory)),
  Storage.layerMemory,
  Trades.layerMemory,
  Halts.layerMemory,
  Idempotency.layerMemory,
  Commands.layerMemory,
  Chats.layerMemory,
  MemoryMarkets.layer,
  Orders.layerMemory,
  Portfolio.layerMemory,
  EquityHistory.layerMemory,
  Signals.layerMemory,
  ActiveRules.layerMemory,
  RuleWitnesses.layerMemory,
  SignInCodes.layerMemory,
  WhatIfTries.layerMemory,
  StrategyStore.layerMemory,
  Directory.layerMemory,
  Copies.layerMemory,
  Targets.layerMemory,
  Timeline.layerMemory
).pipe(Layer.provide(MemoryState.layer))

export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "signalbox-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** A master key that is the same for as long as the tests run, whichever layer asks for it. */
const key = Effect.runSync(Effect.cached(MasterKey.draw))
export const vault = Layer.succeed(Vault, Keyed.make(key))

/** Ports and the client beneath them, on a file. */
export const onFile = (filename: string) =>
  Layer.mergeAll(Sqlite.layerPorts, Layer.provide(Sqlite.layerTargets, vault)).pipe(
    Layer.provideMerge(Sqlite.layer({ filename }))
  )

/** The same on a file, or on a database of Postgres by its address. */
export const onDatabase = (address: string) =>
  address.startsWith("postgres:") ? onPostgres(address) : onFile(address)

/** Postgres is loaded only where it is used. */
const onPostgres = (address: string) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("../../src/postgres/Postgres.ts")),
      (Postgres) =>
        Layer.mergeAll(Postgres.layerPorts, Layer.provide(Postgres.layerTargets, vault)).pipe(
          Layer.provideMerge(
            Postgres.layer({ url: Redacted.make(address), node: `test ${crypto.randomUUID()}` })
          )
        )
    )
  )

/** A file of its own for each test. */
export const onTemporaryFile = Layer.unwrapScoped(
  Effect.map(folder, (path) => onFile(join(path, "signalbox.db")))
)

export const subjects: ReadonlyArray<readonly [string, Subject]> = [
  ["memory", memory],
  ["SQLite", onTemporaryFile],
  ["SQLite in memory", onFile(Client.MEMORY)]
]

/** The very suite that embedders run over their own adapters, over each of ours. */
export const promised = <R extends Ports>(suite: Contract.Suite<R>, over = subjects): void => {
  for (const [name, subject] of over)
    describe(`${suite.name}: ${name}`, () => Contract.tests(suite, subject, test))
}

/** From now on the database finds no new page, as on a full disk; `PRAGMA max_page_count` lifts it. */
export const fillUp = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(sql`PRAGMA page_count`.values, ([row]) =>
    sql.unsafe(`PRAGMA max_page_count = ${Number(row?.[0])}`)
  )
)
export const makeRoom = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`PRAGMA max_page_count = 1000000`)

/** Up to which alert the bots of an account's partition have judged all, as it is stored. */
export const cursorOf = (account: AccountId) =>
  Effect.flatMap(Portfolio, ({ cursors }) => Effect.map(cursors, (all) => all.get(partitionOf(account))))
