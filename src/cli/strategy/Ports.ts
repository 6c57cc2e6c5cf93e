// Layers of the strategy commands: the database, and exchange accounts whose keys stay locked.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Vault } from "../../services/money/Vault.ts"
import * as Sqlite from "../../sqlite/Sqlite.ts"
import { onStored } from "../program/shared.ts"

/** Exchange accounts without the master key: these commands never unlock keys. */
const accounts = Sqlite.layerExchangeAccounts.pipe(Layer.provide(Vault.layerMemory))

/** Runs a command on an existing database. */
export const onLive =
  (filename: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(Effect.provide(accounts), onStored(filename))
