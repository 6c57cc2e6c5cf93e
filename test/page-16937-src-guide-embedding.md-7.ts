import { Memory } from "signalbox"
import { toWebHandler } from "signalbox/http"
import { docs } from "signalbox/http/docs"

const readable = toWebHandler(Memory.layer(), { docs })
console.log((await readable.handle(new Request("http://localhost/docs"))).status)
await readable.dispose()
