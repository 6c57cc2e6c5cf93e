import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Vault } from "../../services/money/Vault.ts"
import * as Sqlite from "../../sqlite/Sqlite.ts"
import { onStored } from "../program/shared.ts"

/** Exchange accounts as they are shown: no command about strategies ever opens their keys. */
const accounts = Sqlite.layerExchangeAccounts.pipe(Layer.provide(Vault.layerMemory))

/** Runs on a database that is there, with exchange accounts beside the other ports. */
export const onLive =
  (filename: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(Effect.provide(accounts), onStored(filename))
