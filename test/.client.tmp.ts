import net from "node:net"
const [,, port, key] = process.argv
const body='{"signal_id": 1, "coin": "BTC", "quote_currency": "USDT", "type": "buy", "tp": 68000.5}'
const req = Buffer.from(`POST /v1/signals/charting?key=${key} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
let n=0, bad=0; const end=performance.now()+1000
const t0=performance.now()
await Promise.all(Array.from({length:32},()=>new Promise<void>(res=>{
  Bun.connect({hostname:"127.0.0.1",port:Number(port),socket:{
    open(s){s.write(req)}, data(s,d){ if(d[9]!==50) bad++; n++; if(performance.now()<end) s.write(req); else {s.end(); res()} }, close(){res()}, error(){res()} }})
})))
process.stdout.write(`${n} ${((performance.now()-t0)/1000).toFixed(2)} bad ${bad}`)
if (bad) process.stderr.write("bad "+bad+"\n")
