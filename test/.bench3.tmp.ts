import { make } from "./.benchlib.tmp.ts"
const mode = process.argv[2]
const s = await make(Number(process.argv[3] ?? 0))
const body = JSON.stringify({type:"success",message:"the alert is stored and will be acted on"})
const server = Bun.serve({port:0, development:false, maxRequestBodySize: Number.MAX_SAFE_INTEGER, fetch: mode==="bare" ? () => new Response(body,{headers:{"content-type":"application/json"}}) : mode==="bareread" ? async (r) => { await r.text(); return new Response(body,{headers:{"content-type":"application/json"}}) } : mode==="noop"? ()=>new Response(body) : (r, srv) => s.edge.handle(r, () => srv.requestIP(r)?.address ?? "")})
const client = Bun.spawn([process.execPath, import.meta.dir+"/.client.tmp.ts", String(server.port), s.hook, mode], {stdout:"pipe"})
let c0=process.cpuUsage(), n0=0
client.exited.then(async ()=>{})
const out = await new Response(client.stdout).text()
const cpu = process.cpuUsage(c0)
const n = Number(out.split(" ")[0])
console.log(mode, "requests", n, "in", out.split(" ")[1], "s; rps", (n/Number(out.split(" ")[1])).toFixed(0), "server cpu us/req", ((cpu.user+cpu.system)/n).toFixed(2), "heap", (process.memoryUsage().rss/1e6).toFixed(0))
process.exit(0)
