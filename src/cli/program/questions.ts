// The terminal for questions. The key reader is loaded only when a question is asked, to keep the start short.
import * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"

export const layer = Layer.scoped(
  Terminal.Terminal,
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const opened = yield* Effect.cached(
      Effect.flatMap(
        Effect.promise(() => import("@effect/platform-bun/BunTerminal")),
        ({ make }) => Scope.extend(make(), scope)
      )
    )
    const of = <A, E, R>(what: (terminal: Terminal.Terminal) => Effect.Effect<A, E, R>) =>
      Effect.flatMap(opened, what)
    return Terminal.Terminal.of({
      columns: of(({ columns }) => columns),
      rows: of(({ rows }) => rows),
      isTTY: of(({ isTTY }) => isTTY),
      readInput: of(({ readInput }) => readInput),
      readLine: of(({ readLine }) => readLine),
      display: (text) => of(({ display }) => display(text))
    })
  })
)
