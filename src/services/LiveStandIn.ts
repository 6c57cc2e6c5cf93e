import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Arming, ArmingRefused } from "./Arming.ts"
import { ExchangeAccounts } from "./ExchangeAccounts.ts"
import { ExchangeDesk } from "./ExchangeDesk.ts"
import { Halts } from "./Halts.ts"
import { MemoryState } from "./MemoryState.ts"
import { Orders } from "./Orders.ts"
import { StrategyStore } from "./StrategyStore.ts"
import { Wallets, WalletUnavailable } from "./Wallets.ts"

const silent = Effect.fail(new WalletUnavailable({ reason: "no exchange can be asked" }))

const wallets = Layer.succeed(Wallets, { check: () => silent, of: () => silent, contracts: () => silent })
const arming = Layer.effect(
  Arming,
  Effect.map(StrategyStore, (store) => {
    const none = { mode: "paper" as const, astray: [] }
    const refused = (reason: "unknown_exchange_account" | "not_armed", detail: string) =>
      Effect.fail(new ArmingRefused({ reason, detail }))
    const unknown = refused("unknown_exchange_account", "there is no such exchange account")
    return {
      mode: (account, id) => Effect.as(store.get(account, id), none),
      propose: (account, id) => Effect.zipRight(store.get(account, id), unknown),
      arm: (account, id) => Effect.zipRight(store.get(account, id), unknown),
      disarm: (account, id) =>
        Effect.zipRight(store.get(account, id), refused("not_armed", "it is on paper already"))
    }
  })
)

/** Until the real ones are there. */
export const layer = ExchangeDesk.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(wallets, arming)),
  Layer.provideMerge(
    Layer.mergeAll(ExchangeAccounts.layerMemory, Halts.layerMemory, Orders.layerMemory).pipe(
      Layer.provide(MemoryState.layer)
    )
  )
)
