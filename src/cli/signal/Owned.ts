// The signals of all accounts as the operator reads them, and what is said where one is missing.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Database } from "../../domain/requests/Database.ts"
import * as Records from "../../Records.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Signals } from "../../services/Signals.ts"
import { inOneLine } from "../program/databaseErrors.ts"
import { plain } from "../program/table.ts"

/** The signal does not exist, or belongs to another account: exit code 1. */
class NoSignal extends Data.TaggedError("NoSignal")<{ readonly message: string }> {}

/** The signals of all accounts, or of one. */
export const ownedIn = (db: Database, account: string | undefined) =>
  inOneLine(db)(Records.ownedSignals(db, account))

/** The signal with that id, of that account if one is given. */
export const owned = (db: Database, id: number, account: string | undefined) =>
  Effect.gen(function* () {
    const found = (yield* ownedIn(db, undefined)).find((it) => it.id === id)
    if (found === undefined) return yield* missing(id)
    if (account !== undefined && found.account !== account)
      return yield* new NoSignal({ message: `signal ${id} is not one of ${plain(account)}'s` })
    return found
  })

/** The whole signal with that id, whose ever it is. */
export const ownedById = Effect.fnUntraced(function* (id: number) {
  const signals = yield* Signals
  for (const account of yield* Effect.flatMap(Accounts, ({ all }) => all)) {
    const found = yield* Effect.option(signals.get(account.id, id))
    if (found._tag === "Some") return found.value
  }
  return yield* missing(id)
})

const missing = (id: number) => new NoSignal({ message: `there is no signal ${id}: signalbox signal list` })
