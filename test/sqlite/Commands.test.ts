import { expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Logger, LogLevel, Option } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { Commands } from "../../src/services/money/Commands.ts"
import { it } from "../lib/effect.ts"
import { onTemporaryFile } from "../services/ports.ts"

it.effect("a command of another version is refused at once and blocks no other", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const commands = yield* Commands
    yield* sql`INSERT INTO mandates (account, strategy_id, wish, at) VALUES (1, 1, '{"_tag":"Rearm"}', 0)`
    const command = { _tag: "Disarm", close: false, forget: false } as const
    const left = yield* commands.leave(AccountId.make(1), StrategyId.make(1), command)
    expect(yield* commands.pending).toEqual([left])
    expect(Option.getOrUndefined(yield* commands.answerOf(1))).toEqual({
      isDone: false,
      text: expect.stringContaining("of another version than this command")
    })
    expect(yield* commands.answerOf(left.id)).toEqual(Option.none())
  }).pipe(Effect.provide(onTemporaryFile), Logger.withMinimumLogLevel(LogLevel.None))
)
