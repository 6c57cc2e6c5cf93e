import { Effect, Layer, Runtime, ManagedRuntime } from "effect"
import { RateLimits } from "../src/services/RateLimits.ts"
const rt = ManagedRuntime.make(RateLimits.layerMemory({crud:2, alert:30000000}))
const l = await rt.runPromise(RateLimits)
const r = await rt.runtime()
for (let k=0;k<4;k++){
const N=200000; const t=performance.now()
await rt.runPromise(Effect.gen(function*(){ for(let i=0;i<N;i++) yield* l.take("alert","1") }))
console.log(((performance.now()-t)*1000/N).toFixed(2),"us")}
