// The minimal reader of prices: a socket to the stub of OKX and JSON.parse, for the given number of seconds.
// Prints first the cost of a price in microseconds of processor time.
const [url = "", seconds = "5"] = process.argv.slice(2)
const listed: { readonly data: ReadonlyArray<{ readonly instId: string }> } = JSON.parse(
  await (await fetch(`${url}/www.okx.com/api/v5/public/instruments?instType=SPOT`)).text()
)
const socket = new WebSocket(`${url.replace("http", "ws")}/ws.okx.com:8443/ws/v5/public`)
let heard = 0
let sum = 0
socket.onmessage = ({ data }) => {
  const { data: tickers } = JSON.parse(String(data))
  heard++
  sum += Number(tickers?.[0]?.bidPx ?? 0)
}
socket.onopen = () => {
  const args = listed.data.map(({ instId }) => ({ channel: "tickers", instId }))
  socket.send(JSON.stringify({ op: "subscribe", args }))
}
await Bun.sleep(1000)
const before = { heard, cpu: process.cpuUsage() }
await Bun.sleep(Number(seconds) * 1000 - 1000)
const { system, user } = process.cpuUsage(before.cpu)
console.log((user + system) / Math.max(1, heard - before.heard), sum > 0)
process.exit(0)
