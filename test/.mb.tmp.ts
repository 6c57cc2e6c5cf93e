import { Effect, Runtime, Context, Layer } from "effect"
const time = async (name: string, f: () => any, N=30000) => { for (let k=0;k<3;k++){ const t=performance.now(); for(let i=0;i<N;i++) { const r = f(); if (r instanceof Promise) await r } ; if(k===2) console.log(name, ((performance.now()-t)*1000/N).toFixed(2)) } }
const rt = await Effect.runPromise(Effect.runtime().pipe(Effect.withTracerEnabled(false)))
const run = Runtime.runPromise(rt)
await time("runPromise void", () => run(Effect.void))
await time("runPromise tryPromise", () => run(Effect.tryPromise(() => Promise.resolve(1))))
await time("runSync void", () => Runtime.runSync(rt)(Effect.void))
await time("runFork+observer", () => new Promise(res => { Runtime.runFork(rt)(Effect.void).addObserver(res) }))
await time("new Response 1 hdr", () => new Response("{}", {headers: {"content-type":"application/json"}}))
await time("new Response 6 hdr", () => new Response("{}", {headers: {"content-type":"application/json", location:"/v1/alerts/1","x-request-id":"a","x-content-type-options":"nosniff","cache-control":"no-store","ratelimit":"a"}}))
await time("Response + 3 set", () => { const r= new Response("{}", {headers: {"content-type":"application/json", location:"/v1/alerts/1"}}); r.headers.set("x-request-id","a"); r.headers.set("x-content-type-options","nosniff"); r.headers.set("cache-control","no-store") })
const H = {"content-type":"application/json"}
await time("Response clone hdrs", () => new Response("{}", {headers: H}))
const req = new Request("http://localhost/x", {method:"POST", body:"{}", headers:{"content-length":"2","host":"localhost","content-type":"application/json"}})
await time("4 headers.get", () => { const h=req.headers; h.get("host"); h.get("content-length"); h.get("content-type"); h.get("idempotency-key") })
await time("bytes", () => new Request("http://localhost/x", {method:"POST", body:"{}"}).bytes())
await time("text", () => new Request("http://localhost/x", {method:"POST", body:"{}"}).text())
await time("crypto.subtle", () => crypto.subtle.digest("SHA-256", new Uint8Array(100)))
