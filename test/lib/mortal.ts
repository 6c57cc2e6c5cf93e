// An exchange whose server is killed at one of its calls.
import { Effect, Layer } from "effect"
import { Exchange, type Report } from "../../src/services/Exchange.ts"
import type * as Scripted from "../../src/testing/ScriptedExchange.ts"

/** The call does not arrive, or its answer does not. */
export type When = "before" | "after"

/**
 * Passes calls on until the n-th that counts, at which the server counts as killed: it receives and sends nothing more.
 */
export const mortal = (
  exchange: Scripted.ScriptedExchange,
  nth: number,
  when: When,
  kill: Effect.Effect<unknown>,
  counts: () => boolean = () => true
) => {
  let calls = 0
  const call = (asked: Effect.Effect<Report>) =>
    Effect.suspend(() => {
      if (counts()) calls++
      if (calls > nth) return Effect.never
      if (calls < nth) return asked
      const last = when === "before" ? kill : Effect.zipRight(asked, kill)
      return Effect.zipRight(last, Effect.never)
    })
  const layer = Layer.effect(
    Exchange,
    Effect.map(Exchange, ({ cancel, lookup, submit }) => ({
      submit: (ticket) => call(submit(ticket)),
      lookup: (ticket) => call(lookup(ticket)),
      cancel: (ticket) => call((cancel ?? lookup)(ticket))
    }))
  ).pipe(Layer.provide(exchange.layer))
  return { layer, calls: () => calls }
}
