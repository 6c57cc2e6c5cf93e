// The promises of the `Exchange` port, kept by orders that go through ccxt to a stub of each of the seven.
import { describe, test } from "bun:test"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decimal from "../../src/domain/Decimal.ts"
import { EXCHANGE_NAMES, type KnownExchange, type Market } from "../../src/domain/Market.ts"
import type { Order } from "../../src/domain/Order.ts"
import { Exchange, type Ticket } from "../../src/services/Exchange.ts"
import * as ExchangeContract from "../../src/testing/contracts/Exchange.ts"
import { VirtualClock } from "../../src/testing/VirtualClock.ts"
import type { StubMarket } from "../exchanges/Protocol.ts"
import type { Stub } from "../exchanges/Stub.ts"
import { ACCOUNT, isSwapper, liveOn, SPOT, SWAP, stubOf } from "./lib.ts"

/** Time is real there, and nothing has to be waited for. */
const clock = Layer.succeed(VirtualClock, { pass: () => Effect.sleep(5) })

/** The suite's orders, sent to an account at the exchange. */
const live = (name: KnownExchange, stub: Stub) =>
  Layer.map(liveOn(name, stub), (context) => context).pipe((layer) =>
    Layer.effect(
      Exchange,
      Effect.map(Exchange, ({ cancel, lookup, submit }) => {
        const there = <O extends Order>(ticket: Ticket<O>): Ticket<O> => ({
          ...ticket,
          order: { ...ticket.order, live: { account: ACCOUNT, tag: "0123456789abcdef" } }
        })
        return {
          submit: (ticket) => submit(there(ticket)),
          lookup: (ticket) => lookup(there(ticket)),
          ...(cancel === undefined ? {} : { cancel: (ticket: Ticket<Order>) => cancel(there(ticket)) })
        } satisfies typeof Exchange.Service
      })
    ).pipe(Layer.provide(layer))
  )

const marketOf = (
  exchange: KnownExchange,
  { amountStep, kind, minAmount, minCost, pair, priceStep }: StubMarket
): Market => ({
  ...{ exchange, pair, kind, active: true, buyEnabled: true },
  priceStep: Decimal.unsafeFromText(priceStep),
  amountStep: Decimal.unsafeFromText(amountStep),
  minAmount: Decimal.unsafeFromText(minAmount),
  minCost: Decimal.unsafeFromText(minCost)
})

for (const name of EXCHANGE_NAMES)
  for (const ground of isSwapper(name) ? [SPOT, SWAP] : [SPOT])
    describe(`${name}, ${ground.kind}`, () => {
      const { cases } = ExchangeContract.suiteOf({ market: marketOf(name, ground) })
      for (const one of cases)
        test(one.name, async () => {
          const stub = await stubOf(name, { door: false })
          try {
            await Effect.runPromise(
              Effect.scoped(Effect.provide(one.run, Layer.merge(live(name, stub), clock)))
            )
          } finally {
            await stub.stop()
          }
        })
    })
