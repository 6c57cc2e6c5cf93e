// Keeps what health, metrics and the dashboard tell of the cluster: read from the database about once a second, so that
// nobody who asks waits for it. The same look tells the other nodes how far behind this one is.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { partitions } from "../domain/Partition.ts"
import { ClusterState } from "../postgres/ClusterState.ts"
import { Leases } from "../postgres/Leases.ts"
import type { ClusterWhole } from "../services/health/ClusterReading.ts"
import { Meters } from "../services/health/Meters.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import { Journal } from "../services/Journal.ts"

const LOOK = "1 second"
/** How long a look may take: a database that is slower counts as away. */
const PATIENCE = "2 seconds"

/** Watches for as long as the layer lives, as the node with this address. */
export const layer = (address: string) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const leases = yield* Leases
      const state = yield* ClusterState
      const journal = yield* Journal
      const meters = yield* Meters
      let whole: ClusterWhole | undefined
      let behind = 0
      let isDraining = false
      const own = () => partitions.filter((id) => leases.leftOf(id) > 0).length
      meters.cluster.reading = () => ({ address, partitions: own(), behind, isDraining, whole })
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          meters.cluster.reading = () => undefined
        })
      )
      const tell = Effect.flatMap(journal.last, (last) => {
        behind = Math.max(0, last - (meters.engine.reading()?.cursor ?? last))
        return state.tellBehind(behind)
      })
      const keep = (found: ClusterWhole | undefined) =>
        Effect.sync(() => {
          whole = found
          // If the database cannot be read, keep the last value.
          isDraining = found?.nodes.find((node) => node.address === address)?.isDraining ?? isDraining
        })
      const look = Effect.disconnect(Effect.zipRight(tell, state.read)).pipe(
        Effect.timeout(PATIENCE),
        Effect.catchAllCause((cause) =>
          Effect.as(Effect.logDebug("the cluster cannot be read", cause), undefined)
        ),
        Effect.flatMap(keep)
      )
      yield* Effect.repeat(look, Schedule.spaced(LOOK)).pipe(
        inRealTime,
        Effect.withTracerEnabled(false),
        Effect.forkScoped
      )
    })
  )
