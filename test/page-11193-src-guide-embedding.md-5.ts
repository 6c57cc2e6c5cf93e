import { Memory } from "signalbox"
import { toWebHandler } from "signalbox/http"

const trading = toWebHandler(Memory.layer(), { prefix: "/trading" })
const health = await trading.handle(new Request("http://localhost/trading/healthz"))
console.log(health.status)
await trading.dispose()
