// Has a node give its partitions away, waits until it has none, and says what to do next.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { cluster } from "../../postgres/Postgres.ts"
import { inRealTime } from "../../services/internal/RealTime.ts"

/** How long a node may take, and how often it is looked at. */
const PATIENCE_SECONDS = 30
const LOOK = "250 millis"

/** The node cannot be drained, or has not given everything away in time: exit code 1. */
export class NotDrained extends Data.TaggedError("NotDrained")<{ readonly message: string }> {}

const refuse = (message: string) => new NotDrained({ message })

/** Counts the partitions that a node owns now; fails if no node has this address. */
const partitionsOf = (address: string) =>
  Effect.flatMap(cluster.read, ({ nodes }) => {
    const node = nodes.find((one) => one.address === address && one.isThere)
    return node === undefined
      ? refuse(`${address} is gone: the other servers take its partitions within 15 seconds`)
      : Effect.succeed(node.partitions)
  })

/** Marks a node, or says why it cannot be. */
const mark = (address: string, isDraining: boolean) =>
  Effect.flatMap(cluster.drain(address, isDraining), (drained) => {
    switch (drained) {
      case "draining":
        return Effect.void
      case "last":
        return refuse(
          `${address} is the only server that takes partitions: its bots would stand still. Start another one first, or just stop it`
        )
      case "gone":
        return refuse(`${address} is not running: there is nothing to give away`)
      case "unknown":
        return Effect.flatMap(cluster.read, ({ nodes }) =>
          refuse(
            nodes.length === 0
              ? "no server shares this database: there is nothing to give away"
              : `there is no server ${address}: there are ${nodes.map((node) => node.address).join(", ")}`
          )
        )
    }
  })

/** Drains a node. */
export const drained = Effect.fnUntraced(function* (address: string) {
  yield* mark(address, true)
  const left = yield* partitionsOf(address).pipe(
    Effect.delay(LOOK),
    Effect.repeat({ until: (partitions) => partitions === 0, times: PATIENCE_SECONDS * 4 }),
    inRealTime
  )
  if (left > 0)
    return yield* refuse(
      `${address} still has ${left} partitions after ${PATIENCE_SECONDS} s: look at its log, and try again`
    )
  return {
    document: { node: address, draining: true, partitions: left },
    text: `${address} has given its partitions away and takes no more: it can be stopped. To end this without a restart: signalbox cluster drain ${address} --undo`
  }
})

/** Ends the draining of a node. */
export const undone = Effect.fnUntraced(function* (address: string) {
  yield* mark(address, false)
  const partitions = yield* partitionsOf(address)
  return {
    document: { node: address, draining: false, partitions },
    text: `${address} takes its share of partitions again, within a few seconds.`
  }
})
