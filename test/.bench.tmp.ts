import * as AlertBody from "../src/domain/AlertBody.ts"
const b='{"signal_id": 1, "coin": "BTC", "quote_currency": "USDT", "type": "buy", "tp": 68000.5}'
for (let k=0;k<3;k++){const t=performance.now(); const N=300000; let x=0
for(let i=0;i<N;i++){const r=AlertBody.decode({body:b,contentType:"application/json",query:""}); if(r._tag==="Right")x++}
console.log(((performance.now()-t)*1000/N).toFixed(2),"us",x)}
const t=performance.now(); for(let i=0;i<300000;i++) JSON.parse(b); console.log("parse",((performance.now()-t)*1000/300000).toFixed(2))
