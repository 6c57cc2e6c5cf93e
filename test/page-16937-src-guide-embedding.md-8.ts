import { Effect } from "effect"
import { Account, Signals } from "signalbox"
import { typed } from "signalbox/services/records/StorageUnavailable"

export const signalsOf = (account: Account.AccountId) =>
  Effect.gen(function* () {
    const signals = yield* typed(Signals)
    return yield* signals.list(account, { limit: 10 })
  }).pipe(Effect.catchTag("StorageUnavailable", () => Effect.succeed([])))
