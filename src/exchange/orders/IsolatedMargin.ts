// Sets isolated margin at leverage 1 before the first entry in a perpetual, once per market and connection. An order is
// not sent unless that is certain.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Dialect } from "../../ccxt/Dialect.ts"
import { fieldOf } from "../../ccxt/Field.ts"
import type { Order } from "../../domain/Order.ts"
import { type Connection, NotSent } from "../Connection.ts"

/** Sets it for the market of an order, if the order needs it. */
export type Isolate = (order: Order, symbol: string) => Effect.Effect<void, NotSent>

export const make = (connection: Connection, { isolation }: Dialect): Isolate => {
  const isolated = new Set<string>()
  return Effect.fnUntraced(function* ({ kind, purpose }, symbol) {
    if (kind === "spot" || purpose === "exit" || isolated.has(symbol)) return
    if (isolation === undefined) return yield* new NotSent({ reason: "the exchange has no perpetuals here" })
    for (const { isSet, set } of isolation.settings) {
      const done = yield* Effect.either(connection.ask("entry", (ccxt) => set(ccxt, symbol)))
      if (Either.isRight(done)) continue
      if (done.left._tag === "NotSent") return yield* done.left
      if (isSetAlready(done.left.cause, isolation.isSetAlready)) continue
      const is = yield* Effect.either(connection.ask("entry", (ccxt) => isSet(ccxt, symbol)))
      if (Either.isLeft(is) || is.right !== true) return yield* new NotSent({ reason: NOT_SET })
    }
    isolated.add(symbol)
  })
}

const NOT_SET = "a margin of its own, at 1x, cannot be set for the market"

/** Whether a setting was refused because it has that value already. */
const isSetAlready = (cause: unknown, says: RegExp | undefined): boolean =>
  ["MarginModeAlreadySet", "NoChange"].includes(String(fieldOf(cause, "name"))) ||
  says?.test(String(fieldOf(cause, "message"))) === true
