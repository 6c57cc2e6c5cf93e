// Reads an exchange's streams frame by frame inside ccxt's parser: its promises only say that something changed, at ten
// times the cost.
import { BaseError } from "../../node_modules/ccxt/js/src/base/errors.js"
import type { Ccxt, Client, Figures } from "./Ccxt.ts"
import { lean } from "./lean.ts"

/** Callbacks for what the streams deliver. */
export interface Hearing {
  readonly ticker: (figures: Figures) => void
  readonly trade: (figures: Figures) => void
  readonly failed: (error: unknown) => void
  readonly closed: () => void
  /** Whether streams are wanted at all. */
  readonly isWanted: () => boolean
}

/** Installs the callbacks. Streams that were given up deliver nothing more. */
export const tap = (ccxt: Ccxt, hearing: Hearing): Ccxt => {
  const hear = ccxt.handleMessage.bind(ccxt)
  const failed = ccxt.onError.bind(ccxt)
  const closed = ccxt.onClose.bind(ccxt)
  const client = ccxt.client.bind(ccxt)
  const isOurs = (client: Client) => ccxt.clients[client.url] === client
  let isFrame = false
  ccxt.client = (url) => {
    // The URL of this stream arrived only after all streams were given up.
    if (!hearing.isWanted()) throw new Error("no stream is wanted")
    return client(url)
  }
  ccxt.handleMessage = (client, message) => {
    if (!isOurs(client)) return
    isFrame = true
    try {
      hear(client, message)
    } catch (error) {
      // A nonsensical frame does not end the stream; errors of ccxt itself do.
      if (error instanceof BaseError) throw error
    } finally {
      isFrame = false
    }
  }
  // ccxt would drop whichever stream has that URL by now.
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
  // Skips the changes, averages and costs that ccxt would derive, which nobody reads.
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
