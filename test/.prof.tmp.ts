import { make } from "./.benchlib.tmp.ts"
const s = await make(Number(process.argv[3] ?? 0))
const body='{"signal_id": 1, "coin": "BTC", "quote_currency": "USDT", "type": "buy", "tp": 68000.5}'
for (let k=0;k<4;k++){
const N=40000; const t=performance.now(); 
for(let i=0;i<N;i++) { const r=await s.edge.handle(new Request("http://localhost/v1/signals/charting?key="+s.hook,{method:"POST",body,headers:{"content-length":String(body.length)}}),()=>""); if(r.status!==200) throw 1 }
console.log(((performance.now()-t)*1000/N).toFixed(2),"us")
}
const t=performance.now(); for(let i=0;i<10000;i++) await new Request("http://localhost/v1/signals/charting?key="+s.hook,{method:"POST",body,headers:{"content-length":String(body.length)}}).bytes()
console.log("request alone",((performance.now()-t)*1000/10000).toFixed(2))
