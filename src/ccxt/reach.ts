import type { ExchangeName } from "../domain/Market.ts"

/** Where each exchange answers anybody. */
export const HOMES: Readonly<Record<ExchangeName, string>> = {
  binance: "https://api.binance.com",
  bybit: "https://api.bybit.com",
  okx: "https://www.okx.com",
  kraken: "https://api.kraken.com",
  coinbase: "https://api.coinbase.com",
  kucoin: "https://api.kucoin.com",
  bitget: "https://api.bitget.com"
}

const WAIT_MS = 10_000

/**
 * Whether there is a way to an address; what it answers does not matter. Asked before the library is loaded, which
 * takes its tens of megabytes also where there is no network. Fails as the library would.
 */
export const reach = async (home: string): Promise<void> => {
  try {
    await fetch(home, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(WAIT_MS) })
  } catch (cause) {
    const isLate = cause instanceof DOMException && cause.name === "TimeoutError"
    throw Object.assign(new Error("not reached", { cause }), {
      name: isLate ? "RequestTimeout" : "NetworkError"
    })
  }
}
