import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { Mandate, MandateAnswer, type Wish } from "../domain/Mandate.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import * as Bell from "../services/Bell.ts"
import { Mandates } from "../services/Mandates.ts"
import { orDie } from "./Failure.ts"
import { Outside } from "./Outside.ts"
import * as Rows from "./Rows.ts"

const Row = Schema.Struct({ ...Mandate.fields, wish: Schema.parseJson(Mandate.fields.wish) })
export const rows = Rows.reader(Row)
export const COLUMNS = "id, account, strategy_id AS strategy, wish, at"
const answers = Rows.reader(Schema.Struct({ answer: Schema.parseJson(MandateAnswer) }))

const wishText = Schema.encodeSync(Row.fields.wish)
export const answerText = Schema.encodeSync(Schema.parseJson(MandateAnswer))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(COLUMNS)
  const changes = Bell.ofChanges()
  // Those of commands beside the server, above all.
  yield* (yield* Outside).onChange(changes.changed)

  return Mandates.of({
    leave: Effect.fn("Mandates.leave")(function* (account: AccountId, strategy: StrategyId, wish: Wish) {
      const at = yield* Clock.currentTimeMillis
      const mandate = yield* rows.one(sql`INSERT INTO mandates (account, strategy_id, wish, at)
        VALUES (${account}, ${strategy}, ${wishText(wish)}, ${at}) RETURNING ${columns}`)
      changes.changed()
      return mandate
    }),
    pending: Effect.suspend(() => {
      changes.reading()
      return rows.all(sql`SELECT ${columns} FROM mandates WHERE answer IS NULL ORDER BY id`)
    }),
    answer: Effect.fn("Mandates.answer")(function* (id: number, answer: MandateAnswer) {
      yield* sql`UPDATE mandates SET answer = ${answerText(answer)} WHERE id = ${id} AND answer IS NULL`
    }, orDie),
    answerOf: Effect.fn("Mandates.answerOf")((id: number) =>
      Effect.map(
        answers.first(sql`SELECT answer FROM mandates WHERE id = ${id} AND answer IS NOT NULL`),
        Option.map(({ answer }) => answer)
      )
    ),
    changed: changes.rings
  })
})

export const layer = Layer.scoped(Mandates, make)
