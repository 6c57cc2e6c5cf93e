// Asks the running server to change a strategy's mode, or several strategies' settings. The command writes a request to the database, the server
// carries it out, and the command waits for the response.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import { type BatchEntry, type Command, SEVERAL, type StoredCommand } from "../../domain/Command.ts"
import type { Database } from "../../domain/requests/Database.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import * as Records from "../../Records.ts"
import { COMMAND_MS, Commands } from "../../services/money/Commands.ts"
import { NotDone } from "./Known.ts"

/** How often and how long to look for the response; the server may have to call an exchange. */
const LOOK_MS = 100
const PATIENCE_MS = 30_000

/**
 * Leaves a request for the server and waits. Returns the server's text; fails with its rejection, or if no server
 * responds.
 */
export const leave = (db: Database, { account, id }: Strategy, command: Command) =>
  left(db, { account, strategy: id, wish: command }, `signalbox strategy show ${id}`)

/** The same for a change of several strategies of an account. */
export const leaveBatch = (db: Database, account: AccountId, entries: ReadonlyArray<BatchEntry>) =>
  left(
    db,
    { account, strategy: SEVERAL, wish: { _tag: "Apply", entries } },
    "the same command with --dry-run"
  )

type Left = Pick<StoredCommand, "account" | "strategy" | "wish">

const left = Effect.fnUntraced(function* (db: Database, { account, strategy, wish }: Left, check: string) {
  // Leave no request without a server: one that starts soon would still carry it out.
  if (!(yield* Records.isServed(db)))
    return yield* new NotDone({ message: `${NO_SERVER}: nothing was changed` })
  const commands = yield* Commands
  const { id } = yield* commands.leave(account, strategy, wish)
  for (let attempt = 0; attempt < PATIENCE_MS / LOOK_MS; attempt++) {
    const answer = yield* commands.answerOf(id)
    if (Option.isSome(answer)) {
      const { isDone, text } = answer.value
      return isDone ? text : yield* new NotDone({ message: text })
    }
    yield* Effect.sleep(LOOK_MS)
  }
  return yield* new NotDone({
    message: `the server has not answered within ${PATIENCE_MS / 1000} seconds. It may still do it within ${COMMAND_MS / 1000} seconds, but not later; check with: ${check}`
  })
})

const NO_SERVER = "this needs a running server, and no server uses this database (signalbox serve)"
