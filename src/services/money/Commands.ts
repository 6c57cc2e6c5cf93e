// The port of commands that the command line leaves for the running server, with its in-memory layer. A command that no
// server takes up within a minute is void.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { Command, CommandAnswer, StoredCommand } from "../../domain/Command.ts"
import * as ChangeSignal from "../records/ChangeSignal.ts"

/** How long a command is valid (ms): an old one must not act later. */
export const COMMAND_MS = 60_000

/**
 * Commands about bots, left for the server that runs beside. A port.
 *
 * **An implementation keeps**
 *
 * - Order: `pending` returns the commands without an answer, oldest first. It refuses one that cannot be read.
 * - Repeats: the first answer stands.
 * - Freshness: `changed` ends within 100 ms of a command that another process left.
 *
 * **Proved by** `CommandsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Commands extends Context.Tag("signalbox/services/money/Commands")<
  Commands,
  {
    readonly leave: (
      account: AccountId,
      strategy: StoredCommand["strategy"],
      wanted: Command
    ) => Effect.Effect<StoredCommand>
    readonly pending: Effect.Effect<ReadonlyArray<StoredCommand>>
    readonly answer: (id: number, answer: CommandAnswer) => Effect.Effect<void>
    /** Returns the answer; none while there is none, or for an unknown command. */
    readonly answerOf: (id: number) => Effect.Effect<Option.Option<CommandAnswer>>
    readonly changed: Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.sync(Commands, () => {
    const commands: Array<StoredCommand> = []
    const answers = new Map<number, CommandAnswer>()
    const changes = ChangeSignal.ofChanges()
    return Commands.of({
      leave: Effect.fn("Commands.leave")(function* (account, strategy, wanted) {
        const at = yield* Clock.currentTimeMillis
        const command: StoredCommand = { id: commands.length + 1, account, strategy, wish: wanted, at }
        commands.push(command)
        changes.changed()
        return command
      }),
      pending: Effect.sync(() => {
        changes.reading()
        return commands.filter(({ id }) => !answers.has(id))
      }),
      answer: Effect.fn("Commands.answer")((id, answer) =>
        Effect.sync(() => {
          if (id <= commands.length && !answers.has(id)) answers.set(id, answer)
        })
      ),
      answerOf: Effect.fn("Commands.answerOf")((id) =>
        Effect.sync(() => Option.fromNullable(answers.get(id)))
      ),
      changed: changes.rings
    })
  })
}
