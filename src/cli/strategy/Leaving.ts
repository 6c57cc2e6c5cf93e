import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Command } from "../../domain/Command.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { COMMAND_MS, Commands } from "../../services/money/Commands.ts"
import * as Checkup from "../../sqlite/Checkup.ts"
import { NotDone } from "./Known.ts"

/** How often the answer is looked for, and for how long: an exchange may have to be asked, which takes its time. */
const LOOK_MS = 100
const PATIENCE_MS = 30_000

/**
 * Leaves word for the server, which alone may do it, and waits for its answer: the words of what was done. Fails with
 * the words of what was refused, or where no server answers.
 */
export const leave = Effect.fnUntraced(function* (db: string, strategy: Strategy, wish: Command) {
  // Word that nobody is there to take might be acted on by a server that starts within its time.
  if (!Checkup.isServed(db)) return yield* new NotDone({ message: `${NO_SERVER}: nothing was changed` })
  const mandates = yield* Commands
  const { id } = yield* mandates.leave(strategy.account, strategy.id, wish)
  for (let look = 0; look < PATIENCE_MS / LOOK_MS; look++) {
    const answer = yield* mandates.answerOf(id)
    if (Option.isSome(answer)) {
      const { isDone, text } = answer.value
      return isDone ? text : yield* new NotDone({ message: text })
    }
    yield* Effect.sleep(LOOK_MS)
  }
  return yield* new NotDone({
    message: `the server has not answered within ${PATIENCE_MS / 1000} seconds. What it takes up within ${COMMAND_MS / 1000} seconds it still does, and nothing later; see then: signalbox strategy show ${strategy.id}`
  })
})

const NO_SERVER = "no server serves this database, and only one can do this (signalbox serve)"
