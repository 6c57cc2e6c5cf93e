import type { Ccxt } from "../../ccxt/Ccxt.ts"

/** Gives up all streams, also those whose other end is gone without a word. */
export const hangUp = (ccxt: Ccxt): void => {
  for (const [url, client] of Object.entries(ccxt.clients)) {
    delete ccxt.clients[url]
    const { connection } = client
    if (connection instanceof WebSocket) connection.terminate()
    else client.close()
  }
  // Where KuCoin's streams are is good for a day: asked anew, and not remembered, unless it is being asked just now.
  forget(ccxt.options["urls"], (url) => Bun.peek.status(url) !== "pending")
  // The library counts the openings of each address for ever, and KuCoin's are new each time.
  forget(ccxt.options["ws"], (_, name) => name === "backoffState")
}

const forget = (from: unknown, which: (value: unknown, name: string) => boolean): void => {
  if (typeof from !== "object" || from === null) return
  for (const [name, value] of Object.entries(from)) if (which(value, name)) Reflect.deleteProperty(from, name)
}
