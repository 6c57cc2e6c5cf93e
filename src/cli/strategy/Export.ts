// `signalbox strategy export`: writes strategies as JSON, in the fields of a request, for `strategy apply`, for
// `backtest --strategy` and for another database.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { fileOf, SIGNAL } from "../../domain/requests/StrategyFile.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Signals } from "../../services/Signals.ts"
import { database } from "../program/shared.ts"
import { strategyOf } from "./Known.ts"
import { onLive } from "./Ports.ts"

const ids = Args.integer({ name: "id" }).pipe(
  Args.atLeast(1),
  Args.withDescription("the ids of the strategies, as signalbox strategy list shows them")
)

export const exported = Command.make("export", { ids, db: database }, (options) =>
  Effect.gen(function* () {
    const files = yield* Effect.forEach(options.ids, (id) => Effect.flatMap(strategyOf(id), withSignal))
    yield* Console.log(JSON.stringify(files.length === 1 ? files[0] : files, undefined, 2))
  }).pipe(onLive(options.db))
).pipe(Command.withDescription("print strategies as JSON, for strategy apply, backtest and other databases"))

/** The file names the signal beside its id, which another database does not know. */
const withSignal = Effect.fnUntraced(function* ({ account, settings }: Strategy) {
  const file = fileOf(settings)
  if (settings.signalId === undefined) return file
  const signal = yield* Effect.option(
    Effect.flatMap(Signals, ({ visible }) => visible(account, settings.signalId ?? 0))
  )
  return Option.match(signal, { onNone: () => file, onSome: ({ name }) => ({ ...file, [SIGNAL]: name }) })
})
