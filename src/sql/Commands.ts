// The stored layer of commands left for the server (table `mandates`). A command of another process is noticed within
// 100 ms.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { type Command, CommandAnswer, StoredCommand } from "../domain/Command.ts"
import { lazily } from "../domain/internal/Lazily.ts"
import { Commands } from "../services/money/Commands.ts"
import * as ChangeSignal from "../services/records/ChangeSignal.ts"
import { ChangeWatch } from "./client/ChangeWatch.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Rows from "./rows/Rows.ts"

const Row = Schema.Struct({ ...StoredCommand.fields, wish: Schema.parseJson(StoredCommand.fields.wish) })
export const rows = Rows.reader(Row)
export const COLUMNS = "id, account, strategy_id AS strategy, wish, at"
const answers = Rows.reader(Schema.Struct({ answer: Schema.parseJson(CommandAnswer) }))

/** The answer to a command of another version of this program: refused, so that it does not block the others. */
const UNREADABLE: CommandAnswer = {
  isDone: false,
  text: "the server cannot read what was asked for: it is of another version than this command. Restart it, and ask again"
}
const decode = lazily(() => Schema.decodeUnknownOption(Row))

const wishText = lazily(() => Schema.encodeSync(Row.fields.wish))
export const answerText = lazily(() => Schema.encodeSync(Schema.parseJson(CommandAnswer)))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(COLUMNS)
  const changes = ChangeSignal.ofChanges()
  // Most changes are made by commands beside the server.
  yield* (yield* ChangeWatch).onChange(changes.changed)

  const answer = Effect.fn("Commands.answer")(function* (id: number, words: CommandAnswer) {
    yield* sql`UPDATE mandates SET answer = ${answerText(words)} WHERE id = ${id} AND answer IS NULL`
  }, orDie)

  return Commands.of({
    leave: Effect.fn("Commands.leave")(function* (
      account: AccountId,
      strategy: StoredCommand["strategy"],
      wanted: Command
    ) {
      const at = yield* Clock.currentTimeMillis
      const command = yield* rows.one(sql`INSERT INTO mandates (account, strategy_id, wish, at)
        VALUES (${account}, ${strategy}, ${wishText(wanted)}, ${at}) RETURNING ${columns}`)
      changes.changed()
      return command
    }),
    pending: Effect.gen(function* () {
      changes.reading()
      const pending: Array<StoredCommand> = []
      const found = sql<{
        readonly id: number
      }>`SELECT ${columns} FROM mandates WHERE answer IS NULL ORDER BY id`
      for (const row of yield* orDie(found)) {
        const command = Option.getOrUndefined(decode(row))
        if (command !== undefined) pending.push(command)
        else {
          yield* Effect.logError(`a stored command cannot be read, and is refused: ${row.id}`)
          yield* answer(row.id, UNREADABLE)
        }
      }
      return pending
    }),
    answer,
    answerOf: Effect.fn("Commands.answerOf")((id: number) =>
      Effect.map(
        answers.first(sql`SELECT answer FROM mandates WHERE id = ${id} AND answer IS NOT NULL`),
        Option.map(({ answer }) => answer)
      )
    ),
    changed: changes.rings
  })
})

export const layer = Layer.scoped(Commands, make)
