// Rings when signals or their rules may have changed: by our own writes, and by those of other processes.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ChangeSignal from "../../services/records/ChangeSignal.ts"
import { ChangeWatch } from "../client/ChangeWatch.ts"

/** The bell, for its one listener; `written` is called by those who write signals. */
export class RuleChanges extends Context.Tag("signalbox/sql/rules/RuleChanges")<
  RuleChanges,
  ChangeSignal.Changes & { readonly written: () => void }
>() {
  static readonly layer = Layer.scoped(
    RuleChanges,
    Effect.gen(function* () {
      const watch = yield* ChangeWatch
      const changes = ChangeSignal.ofChanges()
      yield* watch.onChange(changes.changed)
      return { ...changes, written: () => watch.apply(changes.changed) }
    })
  )
}
