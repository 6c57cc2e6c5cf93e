// A short look at a database of Postgres for the doctor: read-only, and safe beside a running server.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { MAX_AMOUNT } from "../../domain/requests/Bounds.ts"
import { outOfBounds } from "../../domain/requests/StrategyRequest.ts"
import { Markets } from "../../services/Markets.ts"
import * as Accounts from "../../sql/Accounts.ts"
import * as ExchangeAccounts from "../../sql/ExchangeAccounts.ts"
import * as MarketRows from "../../sql/Markets.ts"
import * as ArmedStrategies from "../../sql/readers/ArmedStrategies.ts"
import * as RestoreRows from "../../sql/rows/RestoreRows.ts"
import * as Rows from "../../sql/rows/Rows.ts"
import * as TargetRows from "../../sql/rows/TargetRows.ts"
import { type Checkup, HALTS, Halted } from "../../sqlite/Checkup.ts"
import * as Tradeable from "../../sqlite/readers/Tradeable.ts"

/** What the doctor asks of the records, whatever database they are in. */
export type Findings = Omit<Checkup, "damage" | "journal">

const halts = Rows.reader(Halted)
const accounts = Rows.reader(ExchangeAccounts.SealedAccount)
const targets = Rows.reader(TargetRows.SealedTarget)
const strategies = Rows.reader(Tradeable.Row)
const fills = Rows.reader(Tradeable.FillRow)
const newest = Rows.reader(Schema.Struct({ at: Schema.NullOr(Schema.Int) }))

const NEWEST = `SELECT greatest((SELECT max(greatest(created_at, coalesce(last_used_at, 0))) * 1000 FROM tokens),
  (SELECT max(updated_at) * 1000 FROM signals), (SELECT max(updated_at) * 1000 FROM strategies),
  (SELECT received_at FROM alerts ORDER BY id DESC LIMIT 1),
  (SELECT at FROM timeline ORDER BY id DESC LIMIT 1)) AS at`

/** Reads it; the database has this program's version. */
export const read = (version: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const facts = Tradeable.factsOf({
      strategies: yield* strategies.all(sql.unsafe(Tradeable.STRATEGIES)),
      fills: yield* fills.all(sql.unsafe(Tradeable.FILLS)),
      catalogue: yield* Effect.flatMap(Markets, ({ catalogue }) => catalogue)
    })
    return {
      version,
      newestAt: (yield* newest.one(sql.unsafe(NEWEST))).at ?? 0,
      tokens: yield* Accounts.tokens.all(
        sql.unsafe(`${Accounts.TOKENS} WHERE revoked_at IS NULL ORDER BY tokens.id`)
      ),
      restored: Option.getOrUndefined(yield* RestoreRows.last),
      halts: yield* halts.all(sql.unsafe(HALTS)),
      armed: yield* ArmedStrategies.ids,
      tradeable: facts,
      oddities: odditiesOf(facts),
      exchangeAccounts: yield* accounts.all(sql.unsafe(ExchangeAccounts.SEALED_ACCOUNTS)),
      targets: yield* targets.all(sql.unsafe(TargetRows.SEALED_TARGETS))
    } satisfies Findings
  }).pipe(Effect.provide(MarketRows.layer))

const odditiesOf = ({ strategies }: Tradeable.Facts): Checkup["oddities"] => ({
  settings: strategies.flatMap(({ id, settings }) => {
    const violations = Option.match(settings, { onNone: () => [], onSome: outOfBounds })
    return violations.length === 0 ? [] : [{ id, violations }]
  }),
  targets: strategies.flatMap(({ id, state }) =>
    state !== undefined && Option.isSome(state) && holdsTargetBeyond(state.value.slots) ? [id] : []
  ),
  setAside: strategies.flatMap(({ id, state }) => {
    const { setAside, unlisted } = state === undefined ? {} : (Option.getOrUndefined(state) ?? {})
    return setAside === undefined ? [] : [{ id, at: setAside, unlisted: unlisted === true ? 1 : null }]
  })
})

/** Whether a tp or sl beyond the bounds is anywhere within. */
const holdsTargetBeyond = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(
    ([key, within]) =>
      ((key === "tp" || key === "sl") && typeof within === "number" && within > MAX_AMOUNT) ||
      holdsTargetBeyond(within)
  )
