// Finds or makes the master key for sealing. A database that is sealed with another key is rejected, because the
// server could not open what a second key sealed.
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sealedWith } from "../../sql/sealing/Resealing.ts"
import * as KeyFile from "../../vault/KeyFile.ts"
import * as MasterKey from "../../vault/MasterKey.ts"
import { sources } from "../../vault/Sources.ts"
import { AccountFailed } from "./Reach.ts"

export const newMasterKey = Options.boolean("new-master-key").pipe(
  Options.withDescription(
    "seal with this machine's master key, although the database was sealed with another"
  )
)

/**
 * The master key to seal with; made if there is none. If the database's secrets were sealed with another key, it
 * fails unless `isNewWanted`.
 */
export const ready = Effect.fnUntraced(function* (isNewWanted: boolean) {
  const places = yield* Effect.orDie(sources)
  const known = yield* MasterKey.find(places)
  const used = yield* sealedWith
  const here = Option.isSome(known) ? yield* MasterKey.readFrom(known.value) : undefined
  if (!isNewWanted && used.length > 0 && (here === undefined || !used.includes(here.id))) {
    const there = here === undefined ? "there is none here" : `the one here is ${here.id}`
    return yield* new AccountFailed({
      message: `this database is sealed with master key ${used.join(", ")}, and ${there}: copy that key here, or use --new-master-key and enter the keys of every account again with account rekey`
    })
  }
  const { isNew, origin } = yield* KeyFile.ensure(places)
  return { isNew, where: MasterKey.describe(origin), id: (yield* MasterKey.readFrom(origin)).id }
})
