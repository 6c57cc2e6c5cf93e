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

/** A wish of another version of this program: refused, so that nobody else's waits for it. */
const UNREADABLE: MandateAnswer = {
  isDone: false,
  text: "the server cannot read what was asked for: it is of another version than this command. Restart it, and ask again"
}
const decode = Schema.decodeUnknownOption(Row)

const wishText = Schema.encodeSync(Row.fields.wish)
export const answerText = Schema.encodeSync(Schema.parseJson(MandateAnswer))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(COLUMNS)
  const changes = Bell.ofChanges()
  // Those of commands beside the server, above all.
  yield* (yield* Outside).onChange(changes.changed)

  const answer = Effect.fn("Mandates.answer")(function* (id: number, words: MandateAnswer) {
    yield* sql`UPDATE mandates SET answer = ${answerText(words)} WHERE id = ${id} AND answer IS NULL`
  }, orDie)

  return Mandates.of({
    leave: Effect.fn("Mandates.leave")(function* (account: AccountId, strategy: StrategyId, wish: Wish) {
      const at = yield* Clock.currentTimeMillis
      const mandate = yield* rows.one(sql`INSERT INTO mandates (account, strategy_id, wish, at)
        VALUES (${account}, ${strategy}, ${wishText(wish)}, ${at}) RETURNING ${columns}`)
      changes.changed()
      return mandate
    }),
    pending: Effect.gen(function* () {
      changes.reading()
      const pending: Array<Mandate> = []
      const found = sql<{
        readonly id: number
      }>`SELECT ${columns} FROM mandates WHERE answer IS NULL ORDER BY id`
      for (const row of yield* orDie(found)) {
        const mandate = Option.getOrUndefined(decode(row))
        if (mandate !== undefined) pending.push(mandate)
        else {
          yield* Effect.logError(`what a command asked for cannot be read, and is refused: ${row.id}`)
          yield* answer(row.id, UNREADABLE)
        }
      }
      return pending
    }),
    answer,
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
