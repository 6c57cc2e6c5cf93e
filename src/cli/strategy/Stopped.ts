// Changes strategies of a database that no server uses. The command holds the server's lock meanwhile, and changes no
// strategy whose bot would have to act on the change: only a server can do that.
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import type { BatchEntry } from "../../domain/Command.ts"
import type { Database } from "../../domain/requests/Database.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import * as Records from "../../Records.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import * as StrategyBatch from "../../services/records/StrategyBatch.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { Validation } from "../../services/Validation.ts"
import * as UnjudgedAlerts from "../../sql/readers/UnjudgedAlerts.ts"
import { isFlat } from "../../trading/Bot.ts"
import { plain } from "../program/table.ts"
import { NotDone } from "./Known.ts"

/** Applies the entries, all of them or none. */
export const apply = (
  database: Database,
  {
    account,
    entries,
    maxPairs
  }: {
    readonly account: AccountId
    readonly entries: ReadonlyArray<BatchEntry>
    readonly maxPairs: number
  }
) =>
  Effect.gen(function* () {
    yield* refuseBusy(entries)
    // No bot has to act on the changes: `refuseBusy` has looked.
    const { apply } = yield* StrategyStore
    const batch = yield* StrategyBatch.make(maxPairs, apply)
    return yield* batch.apply(account, entries)
  }).pipe(Effect.provide([Records.layerLock(database), Validation.layer]))

const refuseBusy = Effect.fnUntraced(function* (entries: ReadonlyArray<BatchEntry>) {
  const ids = entries.flatMap(({ before }) => (before === undefined ? [] : [before.id]))
  const unjudged = new Set(yield* UnjudgedAlerts.among(ids))
  for (const strategy of yield* Effect.flatMap(StrategyStore, ({ among }) => among(new Set(ids)))) {
    const { id, settings } = strategy
    const why = unjudged.has(id) ? "has alerts to judge" : yield* activityOf(id)
    if (why !== undefined)
      return yield* new NotDone({
        message: `strategy ${id}, ${plain(settings.name)}, ${why}: start the server (signalbox serve), and apply the file beside it`
      })
  }
})

/** What the bot would have to do with new settings; undefined where there is nothing. */
const activityOf = (id: StrategyId) =>
  Effect.map(
    Effect.flatMap(Portfolio, (portfolio) => portfolio.bot(id)),
    (bot) => {
      if (bot === undefined) return undefined
      if (bot.state.live !== undefined) return "trades with real money"
      if (bot.state.setAside !== undefined) return "is set aside"
      return isFlat(bot.state) ? undefined : "has a position or an order"
    }
  )
