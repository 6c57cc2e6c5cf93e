// The exchange as a node reaches it. A request that places an order waits for its turn, is made and signed, passes the last
// look at the lease, and leaves; the node may stand still between any two of these. The exchange turns away what comes too
// long after it was signed.
import { Context, Effect, Layer } from "effect"
import { ORDER_MS } from "../../../src/ccxt/expiry/Expiry.ts"
import { Exchange, Report } from "../../../src/services/Exchange.ts"
import { SENDING_MS, SendingLease } from "../../../src/services/engine/orders/SendingLease.ts"
import type { World } from "../World.ts"
import type { FenceChecks } from "./fenceChecks.ts"
import type { Link } from "./Link.ts"

/** How long a request waits for its turn where the exchange's limit is used up, and how long its signing takes (ms). */
const MOST_QUEUE_MS = 9_000
const MOST_SIGNING_MS = 30

export const exchangeOf = (
  { chance, loom, venue }: World,
  link: Link,
  checks: FenceChecks
): Layer.Layer<Exchange> =>
  Layer.map(
    venue.layer(link.machine, () => {}),
    (context) => {
      const sound = Context.get(context, Exchange)
      const dice = chance.of(`requests of ${link.name}`)
      const turn = () => (!venue.calm && dice.chance(0.15) ? dice.whole(0, MOST_QUEUE_MS) : 0)
      const submit: typeof sound.submit = (ticket) =>
        Effect.gen(function* () {
          const left = yield* SendingLease
          const { id } = ticket.order
          venue.onSubmit(ticket)
          yield* Effect.sleep(turn())
          const signedAt = loom.now
          yield* Effect.sleep(dice.whole(0, MOST_SIGNING_MS))
          if (left() < SENDING_MS) return Report.Rejected({ order: id, reason: "it was not sent" })
          checks.leaves(link.name, id)
          yield* Effect.sleep(dice.whole(0, MOST_SIGNING_MS))
          if (loom.now > signedAt + ORDER_MS)
            return Report.Rejected({ order: id, reason: "the request has expired" })
          return yield* sound.submit(ticket)
        })
      return Context.make(Exchange, { ...sound, submit })
    }
  )
