import * as AlertBody from "../src/domain/AlertBody.ts"
import { readFileSync } from "node:fs"
let ok=0, bad=0
for (const line of readFileSync("/work/shared/data/alerts.jsonl","utf8").trim().split("\n")) {
  const it = JSON.parse(line)
  const r = AlertBody.decode({ body: it.body, contentType: it.content_type, query: "" })
  const q = AlertBody.decode({ body: it.body, contentType: it.content_type, query: "signal_id=1" })
  const show = (r:any)=> r._tag==="Right" ? "OK "+JSON.stringify(r.right) : r.left._tag+" "+ (r.left.text ?? r.left.violations.map((v:any)=>v.field+": "+v.text).join(" | "))
  r._tag==="Right"?ok++:bad++
  console.log(JSON.stringify(it.body).slice(0,110)+"\n   "+show(r)+"\n   +sid "+show(q))
}
console.log(ok,bad)
