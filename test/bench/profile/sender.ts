// A process that sends alerts for some seconds and prints how many were answered.
import * as Load from "../load.ts"

const [port = "", key = "", signal = "", connections = "", seconds = ""] = process.argv.slice(2)
const body = JSON.stringify({ signal_id: Number(signal), coin: "BTC", quote_currency: "USDT", type: "buy" })
const request = Load.request(`/v1/signals/charting?key=${key}`, { "content-type": "application/json" }, body)
const { answered, refused } = await Load.run(
  { port: Number(port), request },
  Number(connections),
  Number(seconds)
)
if (refused > 0) throw new Error(`${refused} alerts were refused`)
console.log(answered)
