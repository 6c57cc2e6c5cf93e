// Asks the running server to arm or disarm a strategy. The command writes a request to the database, the server
// carries it out, and the command waits for the response.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Command } from "../../domain/Command.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { COMMAND_MS, Commands } from "../../services/money/Commands.ts"
import * as Checkup from "../../sqlite/Checkup.ts"
import { NotDone } from "./Known.ts"

/** How often and how long to look for the response; the server may have to call an exchange. */
const LOOK_MS = 100
const PATIENCE_MS = 30_000

/**
 * Leaves a request for the server and waits. Returns the server's text; fails with its rejection, or if no server
 * responds.
 */
export const leave = Effect.fnUntraced(function* (db: string, strategy: Strategy, command: Command) {
  // Leave no request without a server: one that starts soon would still carry it out.
  if (!Checkup.isServed(db)) return yield* new NotDone({ message: `${NO_SERVER}: nothing was changed` })
  const mandates = yield* Commands
  const { id } = yield* mandates.leave(strategy.account, strategy.id, command)
  for (let attempt = 0; attempt < PATIENCE_MS / LOOK_MS; attempt++) {
    const answer = yield* mandates.answerOf(id)
    if (Option.isSome(answer)) {
      const { isDone, text } = answer.value
      return isDone ? text : yield* new NotDone({ message: text })
    }
    yield* Effect.sleep(LOOK_MS)
  }
  return yield* new NotDone({
    message: `the server has not answered within ${PATIENCE_MS / 1000} seconds. It may still do it within ${COMMAND_MS / 1000} seconds, but not later; check with: signalbox strategy show ${strategy.id}`
  })
})

const NO_SERVER = "this needs a running server, and no server uses this database (signalbox serve)"
