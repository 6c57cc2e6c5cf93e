import { Effect, Layer, ManagedRuntime, Option, Redacted, Scope } from "effect"
import * as Edge from "../src/http/Edge.ts"
import { Accounts } from "../src/services/Accounts.ts"
import { Alerts } from "../src/services/Alerts.ts"
import { Idempotency } from "../src/services/Idempotency.ts"
import { Journal, Appended } from "../src/services/Journal.ts"
import { MemoryState } from "../src/services/MemoryState.ts"
import { RateLimits } from "../src/services/RateLimits.ts"
import { Signals } from "../src/services/Signals.ts"
import { Strategies } from "../src/services/Strategies.ts"
import { Timeline } from "../src/services/Timeline.ts"
export const make = async (rate: number) => {
let n = 0
const world = Layer.mergeAll(Layer.succeed(Alerts, {receive: () => Effect.sync(() => Appended.Recorded({id: ++n as any}))} as any), Layer.succeed(Strategies, {} as any), RateLimits.layerMemory({crud:0,alert:rate})).pipe(Layer.provideMerge(Layer.mergeAll(Accounts.layerMemory, Signals.layerMemory, Journal.layerMemory, Idempotency.layerMemory, Timeline.layerMemory)), Layer.provideMerge(MemoryState.layer))
const rt = ManagedRuntime.make(Layer.merge(world, Layer.setTracerEnabled(false)))
const edge = await rt.runPromise(Effect.flatMap(Scope.make(), (sc: any) => Scope.extend(Edge.make() as any, sc)) as any) as Edge.Edge
const hook = await rt.runPromise(Effect.flatMap(Accounts, a => Effect.map(a.issue("ann","alerts",Option.none()), x=>Redacted.value(x.secret))))
return { edge, hook }
}
