import { BaseError } from "../../node_modules/ccxt/js/src/base/errors.js"
import type { Ccxt, Client, Figures } from "./Ccxt.ts"
import { lean } from "./lean.ts"

/** What is heard of an exchange's streams. */
export interface Hearing {
  readonly ticker: (figures: Figures) => void
  readonly trade: (figures: Figures) => void
  readonly failed: (error: unknown) => void
  readonly closed: () => void
  /** Whether streams are wanted at all now. */
  readonly isWanted: () => boolean
}

/**
 * Listens in where the library parses the frames of its streams, one by one: its promises tell only that something
 * changed, at ten times the cost. Streams that were given up are not heard any more, whatever they still say.
 */
export const tap = (ccxt: Ccxt, hearing: Hearing): Ccxt => {
  const hear = ccxt.handleMessage.bind(ccxt)
  const failed = ccxt.onError.bind(ccxt)
  const closed = ccxt.onClose.bind(ccxt)
  const client = ccxt.client.bind(ccxt)
  const isOurs = (client: Client) => ccxt.clients[client.url] === client
  let isFrame = false
  ccxt.client = (url) => {
    // A stream that was asked for before all were given up, and whose address came only now.
    if (!hearing.isWanted()) throw new Error("no stream is wanted any more")
    return client(url)
  }
  ccxt.handleMessage = (client, message) => {
    if (!isOurs(client)) return
    isFrame = true
    try {
      hear(client, message)
    } catch (error) {
      // A frame that is nonsense is no word against the stream; the library's own errors are.
      if (error instanceof BaseError) throw error
    } finally {
      isFrame = false
    }
  }
  // The library would let go of whatever stream has that address by now.
  ccxt.onError = (client, error) => {
    if (!isOurs(client)) return
    failed(client, error)
    hearing.failed(error)
  }
  ccxt.onClose = (client, error) => {
    if (!isOurs(client)) return
    closed(client, error)
    hearing.closed()
  }
  // The library would go on to count changes, averages and costs, which nobody here reads.
  ccxt.safeTicker = (figures) => {
    if (isFrame) hearing.ticker(figures)
    return figures
  }
  ccxt.safeTrade = (figures) => {
    if (isFrame) hearing.trade(figures)
    return figures
  }
  const fetchMarkets = ccxt.fetchMarkets.bind(ccxt)
  ccxt.fetchMarkets = async (params) => lean(await fetchMarkets(params))
  return ccxt
}
