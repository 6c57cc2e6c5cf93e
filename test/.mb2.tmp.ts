import { Effect, Runtime, RuntimeFlags, Layer, Option, Redacted, Scope, Context } from "effect"
import { Gate } from "../src/http/Gate.ts"
import { AlertDoor, arrivalOf } from "../src/http/AlertDoor.ts"
import * as Routes from "../src/http/Routes.ts"
import * as Headers from "../src/http/Headers.ts"
import * as RequestIds from "../src/http/RequestIds.ts"
import { targetOf } from "../src/http/Target.ts"
import { Accounts } from "../src/services/Accounts.ts"
import { Alerts } from "../src/services/Alerts.ts"
import { Appended } from "../src/services/Journal.ts"
import { MemoryState } from "../src/services/MemoryState.ts"
import { RateLimits } from "../src/services/RateLimits.ts"
import { Signals } from "../src/services/Signals.ts"
const time = async (name: string, f: () => any, N=50000) => { let best=1e9; for (let k=0;k<6;k++){ const t=performance.now(); for(let i=0;i<N;i++) { const r = f(); if (r instanceof Promise) await r } ; best=Math.min(best,(performance.now()-t)*1000/N) } console.log(name.padEnd(30), best.toFixed(2)) }
const layer = Layer.mergeAll(Gate.layer, AlertDoor.layer).pipe(Layer.provideMerge(Layer.mergeAll(Accounts.layerMemory, Signals.layerMemory, RateLimits.layerMemory({crud:0,alert:1e8}), Layer.succeed(Alerts, {receive: () => Effect.sync(() => Appended.Recorded({id: 1 as any}))} as any))), Layer.provideMerge(MemoryState.layer))
const ctx: Context.Context<any> = await Effect.runPromise(Effect.flatMap(Scope.make(), sc => Layer.buildWithScope(layer, sc)) as any)
const rt0 = await Effect.runPromise(Effect.runtime().pipe(Effect.withTracerEnabled(false)))
const rt = Runtime.disableRuntimeFlag(rt0, RuntimeFlags.RuntimeMetrics)
const gate: any = Context.get(ctx, Gate), door: any = Context.get(ctx, AlertDoor), accounts: any = Context.get(ctx, Accounts), limits: any = Context.get(ctx, RateLimits)
const secret = await Effect.runPromise(Effect.map(accounts.issue("ann","alerts",Option.none()), (x:any)=>Redacted.value(x.secret)) as any) as string
const many = (f: () => Effect.Effect<any, any>, n=1000) => Effect.gen(function*(){ for(let i=0;i<n;i++) yield* f() })
const perOp = async (name: string, f: () => any) => { let best=1e9; for(let k=0;k<30;k++){ const t=performance.now(); await Runtime.runPromise(rt)(many(f, 3000)); best=Math.min(best,(performance.now()-t)*1000/3000) } console.log(name.padEnd(30), best.toFixed(2)) }
const facts: any = {id:"1", path:"/v1/signals/charting", query:"", peer:()=>"", ...Routes.charting}
await perOp("succeed", () => Effect.succeed(1))
await perOp("accounts.authenticate", () => accounts.authenticate(secret))
await perOp("limits.take", () => limits.take("alert","1"))
await perOp("gate.enter", () => gate.enter(facts, secret))
const b = new TextEncoder().encode('{"signal_id": 1, "coin": "BTC", "quote_currency": "USDT", "type": "buy", "tp": 68000.5}')
const arr = { contentType:"application/json", idempotencyKey:null, query:"", body: Effect.succeed(b)}
await perOp("door.receive", () => door.receive({account:1,token:1,scope:"alerts"}, arr))
const req = new Request("http://localhost/v1/signals/charting?key="+secret,{method:"POST",body:"x",headers:{host:"localhost"}})
await time("targetOf", () => targetOf(req))
await time("arrivalOf", () => arrivalOf(req, "", arr.body))
const next = await Effect.runPromise(RequestIds.make)
await time("requestid", () => next())
await time("Response+finish", () => Headers.finish(new Response("{}", {headers:{"content-type":"application/json", location:"/v1/alerts/1", ...{}}}),"abc"))
await time("Response", () => new Response("{}", {headers:{"content-type":"application/json", location:"/v1/alerts/1", ...{}}}))
await time("runFork obs", () => new Promise(res => { Runtime.runFork(rt)(Effect.void).addObserver(res) }))
