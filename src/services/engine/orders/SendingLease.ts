// How long this process may still send orders for the bot that an order is of. Whoever sends looks at it last of all, after
// its request was made: what another process may have taken over by then is not sent.
import * as Context from "effect/Context"

/**
 * An order is sent only while the lease of its bot holds for so long (ms): by then its request has expired, clocks that
 * differ by a second included. Whoever has the bot afterwards asks about the order.
 */
export const SENDING_MS = 6000

/** How long the lease under which an order is sent still holds (ms). A server that is alone holds all bots for ever. */
export class SendingLease extends Context.Reference<SendingLease>()("signalbox/services/SendingLease", {
  defaultValue: (): (() => number) => () => Number.POSITIVE_INFINITY
}) {}
