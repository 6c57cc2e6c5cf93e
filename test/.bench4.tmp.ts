import { make } from "./.benchlib.tmp.ts"
import { Effect, Runtime, RuntimeFlags, Fiber } from "effect"
const mode = process.argv[2]!
const s = await make(0)
const rt = await Effect.runPromise(Effect.runtime().pipe(Effect.withTracerEnabled(false)))
const rt2 = Runtime.disableRuntimeFlag(rt, RuntimeFlags.RuntimeMetrics)
let k=0
const body = JSON.stringify({type:"success",message:"the alert is stored and will be acted on"})
const json = () => new Response(body,{headers:{"content-type":"application/json"}})
const modes: Record<string, (r: Request, srv: any) => any> = {
  read: async (r) => { await r.bytes(); return json() },
  hdrs: async (r) => { await r.bytes(); const x = new Response(body,{headers:{"content-type":"application/json",location:"/v1/alerts/1"}}); x.headers.set("x-request-id","a"); x.headers.set("x-content-type-options","nosniff"); x.headers.set("cache-control","no-store"); return x },
  hdrs0: async (r) => { await r.bytes(); return new Response(body,{headers:{"content-type":"application/json",location:"/v1/alerts/1","x-request-id":"a","x-content-type-options":"nosniff","cache-control":"no-store"}}) },
  get: async (r) => { r.headers.get("host"); r.url; await r.bytes(); r.headers.get("content-type"); return json() },
  fiber: async (r) => { await r.bytes(); return await Runtime.runPromise(rt)(Effect.sync(json)) },
  fiber2: (r) => r.bytes().then(() => new Promise((res)=>Runtime.runFork(rt)(Effect.sync(json)).addObserver((e:any)=>res(e.value)))),
  fiber3: (r) => r.bytes().then(() => new Promise((res)=>Runtime.runFork(rt2)(Effect.sync(json)).addObserver((e:any)=>res(e.value)))),
  sync: (r) => r.bytes().then(() => Runtime.runSync(rt2)(Effect.sync(json))),
  promise: (r) => r.bytes().then(() => new Promise((res)=>res(json()))),
  alloc: (r) => r.bytes().then(() => { const a=[]; for(let i=0;i<60;i++) a.push({i, b:[i], c:()=>i}); k+=a.length; return json() }),
  door: (r, srv) => s.edge.handle(r, () => srv.requestIP(r)?.address ?? ""),
  door2: async (r, srv) => { await s.edge.handle(r, () => ""); return json() },
}

const names = process.argv[2]!.split(",")
const servers = names.map((m)=>Bun.serve({port:0, development:false, maxRequestBodySize: Number.MAX_SAFE_INTEGER, fetch: modes[m]! }))
const best: any = {}
for (let round=0; round<Number(process.argv[3]??5); round++) for (let i=0;i<names.length;i++) {
const client = Bun.spawn([process.execPath, import.meta.dir+"/.client.tmp.ts", String(servers[i]!.port), s.hook], {stdout:"pipe"})
const c0=process.cpuUsage()
const out = await new Response(client.stdout).text()
const cpu = process.cpuUsage(c0)
const n = Number(out.split(" ")[0]); const b = best[names[i]!] ??= {rps:[],cpu:[]}
b.rps.push(Math.round(n/Number(out.split(" ")[1]))); b.cpu.push(+((cpu.user+cpu.system)/n).toFixed(2))
}
for (const m of names) console.log(m.padEnd(8), "max rps", Math.max(...best[m].rps), "min cpu", Math.min(...best[m].cpu), JSON.stringify(best[m].cpu))
process.exit(0)
