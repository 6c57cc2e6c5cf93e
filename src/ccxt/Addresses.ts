// Addresses that replace those of exchanges (of a gateway, or a test server), written as `NAME=URL,NAME=URL`.
import * as Either from "effect/Either"
import { EXCHANGE_NAMES, exchangeNameOf, type KnownExchange } from "../domain/Market.ts"

/** The base URL that replaces an exchange's own addresses. */
export type Addresses = ReadonlyMap<KnownExchange, string>

/** Parses `binance=http://127.0.0.1:7001,okx=https://gateway.example`; an error says what the text must be. */
export const parse = (text: string): Either.Either<Addresses, string> => {
  const addresses = new Map<KnownExchange, string>()
  for (const part of text.split(",").filter((part) => part.trim() !== "")) {
    const [, written = "", url = ""] = /^\s*([\w.-]+)\s*=\s*(https?:\/\/[^\s/?#]+)\/*\s*$/.exec(part) ?? []
    const name = exchangeNameOf(written)
    if (name === undefined) {
      return Either.left(
        `takes NAME=http://HOST:PORT with commas between, NAME one of ${EXCHANGE_NAMES.join(", ")}`
      )
    }
    addresses.set(name, url)
  }
  return Either.right(addresses)
}
