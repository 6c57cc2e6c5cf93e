const o = {hostname:"127.0.0.1", port:0, reusePort:false, fetch:()=>new Response("a")}
const a = Bun.serve(o)
try { const b = Bun.serve({...o, port:a.port}); console.log("second ok", b === a, b.port) } catch (e: any) { console.log("second failed", e.code, e.message) }
const c = Bun.spawn([process.execPath,"-e",`try{Bun.serve({hostname:"127.0.0.1",port:${a.port},fetch:()=>new Response("b")});console.log("child ok")}catch(e){console.log("child failed",e.code, e.message)};process.exit(0)`],{stdout:"inherit",stderr:"inherit"})
await c.exited
try { Bun.serve({...o, hostname:"203.0.113.9", port:0}) } catch (e: any) { console.log(e.code, e.message, e.syscall) }
try { Bun.serve({...o, hostname:"no.such.host.invalid", port:0}) } catch (e: any) { console.log(e.code, e.message) }
process.exit(0)
