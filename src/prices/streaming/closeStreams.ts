// Closes all streams of a ccxt at once and removes what it would remember of them.
import type { Ccxt } from "../../ccxt/Ccxt.ts"

/** Gives up all streams, also those whose other end is gone. */
export const hangUp = (ccxt: Ccxt): void => {
  for (const [url, client] of Object.entries(ccxt.clients)) {
    delete ccxt.clients[url]
    const { connection } = client
    if (connection instanceof WebSocket) connection.terminate()
    else client.close()
  }
  // KuCoin's stream address is valid for a day; forget it, unless a request for it is under way.
  forget(ccxt.options["urls"], (url) => Bun.peek.status(url) !== "pending")
  // ccxt counts the connections of each address for ever, and KuCoin's addresses are always new.
  forget(ccxt.options["ws"], (_, name) => name === "backoffState")
}

const forget = (from: unknown, which: (value: unknown, name: string) => boolean): void => {
  if (typeof from !== "object" || from === null) return
  for (const [name, value] of Object.entries(from)) if (which(value, name)) Reflect.deleteProperty(from, name)
}
