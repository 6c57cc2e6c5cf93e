// Layers of the strategy commands: the database, and exchange accounts whose keys stay locked.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Database } from "../../domain/requests/Database.ts"
import * as Records from "../../Records.ts"
import { Vault } from "../../services/money/Vault.ts"
import { onStored } from "../program/shared.ts"

/** Exchange accounts without the master key: these commands never unlock keys. */
const accounts = Records.layerExchangeAccounts.pipe(Layer.provide(Vault.layerMemory))

/** Runs a command on an existing database. */
export const onLive =
  (database: Database) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(Effect.provide(accounts), onStored(database))
