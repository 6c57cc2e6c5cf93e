// Lines about halts and real money, for the start of a server and for `explain`.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { lineOf, sentence } from "../../domain/requests/ArmingStatement.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { bindingOn, Halts } from "../../services/money/Halts.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import * as ArmedStrategies from "../../sql/readers/ArmedStrategies.ts"
import { endOf, inForce, lineOf as lineOfHalt } from "../halt/HaltTarget.ts"
import { subjectOf } from "./Known.ts"
import * as Shown from "./Shown.ts"

const LEAVING = "it was disarmed, and makes no more entries"

/** For the start: every halt in effect, and every strategy that trades with real money. */
export const lines = Effect.gen(function* () {
  const halted = (yield* inForce).map((it) => `${lineOfHalt(it)} To end it: ${endOf(it)}`)
  const found = yield* Effect.flatMap(Effect.zip(StrategyStore, ArmedStrategies.ids), ([{ among }, ids]) =>
    among(new Set(ids))
  )
  const armed = (yield* Effect.forEach(found, Shown.one)).flatMap(({ account, state, strategy }) =>
    state?.live === undefined
      ? []
      : [
          `${lineOf(subjectOf(strategy), account, state.live)}${state.live.leaving === true ? `; ${LEAVING}` : ""}`
        ]
  )
  return [...halted, ...armed]
})

/** For one strategy: its terms if it trades with real money, and its halt. */
export const of = Effect.fnUntraced(function* (strategy: Strategy) {
  const { account, state } = yield* Shown.one(strategy)
  const halts = yield* Effect.flatMap(Halts, ({ all }) => all)
  const live = state?.live
  return [
    ...(live === undefined ? [] : [`${sentence(lineOf(subjectOf(strategy), account, live))}.`]),
    ...(live?.leaving === true ? [`${sentence(LEAVING)}.`] : []),
    ...Option.match(bindingOn(halts, strategy.account), {
      onNone: () => [],
      onSome: ({ text }) => [`Its entries are halted: ${text}.`]
    })
  ]
})
