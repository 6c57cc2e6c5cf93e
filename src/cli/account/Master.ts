import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sealedWith } from "../../sqlite/sealing/Resealing.ts"
import * as KeyFile from "../../vault/KeyFile.ts"
import * as MasterKey from "../../vault/MasterKey.ts"
import { sources } from "../../vault/Sources.ts"
import { AccountFailed } from "./Reach.ts"

export const newMasterKey = Options.boolean("new-master-key").pipe(
  Options.withDescription("seal with this machine's master key, though what is there was sealed with another")
)

/**
 * The master key to seal with, which is made where there is none. A database that came from elsewhere, or a shell
 * without the server's environment, would get a second one, with which the server could do nothing: so that has to be
 * asked for.
 */
export const ready = Effect.fnUntraced(function* (isNewWanted: boolean) {
  const places = yield* Effect.orDie(sources)
  const known = yield* MasterKey.find(places)
  const used = yield* sealedWith
  const here = Option.isSome(known) ? yield* MasterKey.readFrom(known.value) : undefined
  if (!isNewWanted && used.length > 0 && (here === undefined || !used.includes(here.id))) {
    const there = here === undefined ? "there is none here" : `the one here is ${here.id}`
    return yield* new AccountFailed({
      message: `this database is sealed with master key ${used.join(", ")}, and ${there}: bring that one (as the server has it), or say --new-master-key and connect every account anew with account rekey`
    })
  }
  const { isNew, origin } = yield* KeyFile.ensure(places)
  return { isNew, where: MasterKey.describe(origin), id: (yield* MasterKey.readFrom(origin)).id }
})
