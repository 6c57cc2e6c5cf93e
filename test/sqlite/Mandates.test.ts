import { expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Logger, LogLevel, Option } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { Mandates } from "../../src/services/Mandates.ts"
import { it } from "../lib/effect.ts"
import { onTemporaryFile } from "../services/ports.ts"

it.effect("a wish of another version is refused at once, and nobody else's waits for it", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const mandates = yield* Mandates
    yield* sql`INSERT INTO mandates (account, strategy_id, wish, at) VALUES (1, 1, '{"_tag":"Rearm"}', 0)`
    const wish = { _tag: "Disarm", close: false, forget: false } as const
    const left = yield* mandates.leave(AccountId.make(1), StrategyId.make(1), wish)
    expect(yield* mandates.pending).toEqual([left])
    expect(Option.getOrUndefined(yield* mandates.answerOf(1))).toEqual({
      isDone: false,
      text: expect.stringContaining("of another version than this command")
    })
    expect(yield* mandates.answerOf(left.id)).toEqual(Option.none())
  }).pipe(Effect.provide(onTemporaryFile), Logger.withMinimumLogLevel(LogLevel.None))
)
