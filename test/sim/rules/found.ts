// What a world of rules left behind: the alerts in the journal, and what witnesses told their owner.
import { Effect, Option } from "effect"
import { originOf } from "../../../src/domain/alert/RuleOrigin.ts"
import { marketKey } from "../../../src/domain/Market.ts"
import { Events } from "../../../src/services/Events.ts"
import { Journal } from "../../../src/services/Journal.ts"
import { UNWITNESSED } from "../../../src/services/rules/WitnessNote.ts"
import { sender } from "../../services/ports.ts"
import { MARKETS } from "./Exchange.ts"

/** More alerts and events than a world has. */
const ALL = 10_000
const BEGINNING = { entry: 0, alert: 0 }

/** Alerts in the journal, as the oracle names them. */
const stored = Effect.gen(function* () {
  const { account } = yield* sender("ann")
  const journal = yield* Journal
  const alerts = yield* journal.list(account, { limit: ALL })
  const incoming = yield* journal.incoming(
    account,
    alerts.map(({ id }) => id)
  )
  return alerts.map(({ id }) => {
    const { at, by, exchange, kind, pair } = Option.getOrThrow(originOf(incoming.get(id)?.body ?? ""))
    return `${marketKey({ exchange, kind, pair })} ${by} ${at}`
  })
})

/** What was told of alerts that did not come. Entries buy and schedules sell, so that the type names which it was. */
const told = Effect.gen(function* () {
  const { account } = yield* sender("ann")
  const { events } = yield* (yield* Events).after(account, BEGINNING, ALL)
  return events.flatMap(({ event: { facts, rule } }) => {
    const market = MARKETS.find(({ pair }) => pair === facts["pair"])
    if (rule !== UNWITNESSED || market === undefined) return []
    const by = facts["type"] === "sell" ? "schedule[0]" : "on[0]"
    return [`${marketKey(market)} ${by} ${Number(facts["rule_at"]) * 1_000}`]
  })
})

/** All of it: where witnesses tell nothing is raised. */
export const found = Effect.zipWith(stored, told, (alerts, notes) => [...alerts, ...notes])
