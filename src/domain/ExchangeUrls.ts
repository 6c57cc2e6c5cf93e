import * as Either from "effect/Either"
import { EXCHANGE_NAMES, type ExchangeName, isExchangeName } from "./Market.ts"

/** Where exchanges are reached instead of at their own addresses. */
export type ExchangeUrls = ReadonlyMap<ExchangeName, string>

/** `binance=http://127.0.0.1:7001,kraken=http://127.0.0.1:7002`; what is wrong with the first part that is not so. */
export const parse = (text: string): Either.Either<ExchangeUrls, string> => {
  const urls = new Map<ExchangeName, string>()
  for (const part of text.split(",").map((part) => part.trim())) {
    if (part === "") continue
    const at = part.indexOf("=")
    if (at < 0) return Either.left(`${part} is not EXCHANGE=URL`)
    const name = part.slice(0, at).trim()
    const url = part.slice(at + 1).trim()
    if (!isExchangeName(name)) {
      return Either.left(`there is no exchange ${name}; there are ${EXCHANGE_NAMES.join(", ")}`)
    }
    if (urls.has(name)) return Either.left(`${name} is named twice`)
    if (!isBase(url)) return Either.left(`${url} is not the URL of a place, like http://127.0.0.1:7001`)
    urls.set(name, url)
  }
  return Either.right(urls)
}

/** Paths are put behind it, so that it ends without a question. */
const isBase = (url: string): boolean => /^https?:\/\/[^\s?#]+$/i.test(url) && URL.canParse(url)
