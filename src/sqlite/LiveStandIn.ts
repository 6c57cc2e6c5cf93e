import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountId } from "../domain/Account.ts"
import { HaltCause } from "../domain/Halt.ts"
import { Mandate, MandateAnswer, Wish } from "../domain/Mandate.ts"
import * as Bell from "../services/Bell.ts"
import { Halts, keyOf } from "../services/Halts.ts"
import { Mandates } from "../services/Mandates.ts"
import { Orders } from "../services/Orders.ts"
import { orDie } from "./Failure.ts"
import { Outside } from "./Outside.ts"
import { columns } from "./PortfolioRows.ts"
import * as Rows from "./Rows.ts"

const haltRows = Rows.reader(
  Schema.Struct({ account: Schema.Int, at: Schema.Int, cause: HaltCause, text: Schema.String })
)
const halts = Layer.scoped(
  Halts,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const changes = Bell.ofChanges()
    yield* (yield* Outside).onChange(changes.changed)
    const all = Effect.map(haltRows.all(sql`SELECT * FROM halts ORDER BY account`), (rows) =>
      rows.map(({ account, ...rest }) => ({
        ...rest,
        account: account === 0 ? Option.none() : Option.some(AccountId.make(account))
      }))
    )
    return Halts.of({
      all: Effect.zipRight(Effect.sync(changes.reading), all),
      halt: (whose, cause, text) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          yield* orDie(sql`INSERT INTO halts (account, at, cause, text) VALUES (${keyOf(whose)}, ${at}, ${cause}, ${text})
            ON CONFLICT DO NOTHING`)
          changes.changed()
          const found = (yield* all).find(({ account }) => keyOf(account) === keyOf(whose))
          return found ?? (yield* Effect.dieMessage("no halt"))
        }),
      resume: (whose) =>
        Effect.map(
          orDie(sql`DELETE FROM halts WHERE account = ${keyOf(whose)} RETURNING account`),
          (rows) => {
            changes.changed()
            return rows.length > 0
          }
        ),
      changed: changes.rings
    })
  })
)

const mandateRows = Rows.reader(Schema.Struct({ ...Mandate.fields, wish: Schema.parseJson(Wish) }))
const answerRows = Rows.reader(Schema.Struct({ answer: Schema.NullOr(Schema.parseJson(MandateAnswer)) }))
const wishText = Schema.encodeSync(Schema.parseJson(Wish))
const answerText = Schema.encodeSync(Schema.parseJson(MandateAnswer))
const mandates = Layer.scoped(
  Mandates,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const changes = Bell.ofChanges()
    yield* (yield* Outside).onChange(changes.changed)
    const fields = sql.literal("id, account, strategy_id AS strategy, wish, at")
    return Mandates.of({
      leave: (account, strategy, wish) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) =>
          mandateRows.one(sql`INSERT INTO mandates (account, strategy_id, wish, at)
            VALUES (${account}, ${strategy}, ${wishText(wish)}, ${at}) RETURNING ${fields}`)
        ),
      pending: Effect.zipRight(
        Effect.sync(changes.reading),
        mandateRows.all(sql`SELECT ${fields} FROM mandates WHERE answer IS NULL ORDER BY id`)
      ),
      answer: (id, answer) =>
        Effect.asVoid(
          orDie(sql`UPDATE mandates SET answer = ${answerText(answer)} WHERE id = ${id} AND answer IS NULL`)
        ),
      answerOf: (id) =>
        Effect.map(answerRows.first(sql`SELECT answer FROM mandates WHERE id = ${id}`), (row) =>
          Option.flatMap(row, ({ answer }) => Option.fromNullable(answer))
        ),
      changed: changes.rings
    })
  })
)

const orderRows = Rows.reader(
  Schema.Struct({
    sequence: Schema.Int,
    order: columns.order,
    status: Schema.Literal(
      "intended",
      "accepted",
      "unknown",
      "partly_filled",
      "filled",
      "rejected",
      "cancelled"
    )
  })
)
const fillRows = Rows.reader(Schema.Struct({ fill: columns.fill }))
const orders = Layer.effect(
  Orders,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Orders.of({
      page: Effect.fnUntraced(function* (strategy, { before = Number.MAX_SAFE_INTEGER, limit }) {
        const rows = yield* orderRows.all(sql`SELECT sequence, intent AS "order", status FROM orders
          WHERE strategy_id = ${strategy} AND sequence < ${before} ORDER BY sequence DESC LIMIT ${limit}`)
        const fills = yield* fillRows.all(
          sql`SELECT fill FROM fills WHERE strategy_id = ${strategy} ORDER BY id`
        )
        return rows.map((row) => ({
          ...row,
          fills: fills.map(({ fill }) => fill).filter(({ order }) => order === row.order.id)
        }))
      })
    })
  )
)

/** Until the real ones are there. */
export const layer = Layer.mergeAll(halts, mandates, orders)
