import type { Ccxt, Figures } from "../../ccxt/Ccxt.ts"
import type { Channels } from "./channels.ts"

/** Asks for the prices of these markets; comes back with those that there were, by symbol. Fails where there are none. */
export const request = async (
  ccxt: Ccxt,
  rest: Channels["rest"],
  symbols: ReadonlyArray<string>
): Promise<ReadonlyMap<string, Figures>> => {
  const answers = figuresIn(await asked(ccxt, rest, symbols))
  // Half an answer and a page for people are no error to the library: it finds no ticker in them.
  if (answers.length === 0) throw new TypeError("no ticker in the answer")
  return new Map(answers.map((figures) => [String(figures.symbol), figures]))
}

const asked = async (
  ccxt: Ccxt,
  rest: Channels["rest"],
  symbols: ReadonlyArray<string>
): Promise<unknown> => {
  if (rest === "tickers") return ccxt.fetchTickers([...symbols])
  if (rest === "bidsAsks") return ccxt.fetchBidsAsks([...symbols])
  // One that fails says nothing of the others.
  const outcomes = await Promise.allSettled(symbols.map((symbol) => ccxt.fetchTicker(symbol)))
  const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []))
  const failed = outcomes.find((outcome) => outcome.status === "rejected")
  if (answers.length === 0 && failed !== undefined) throw failed.reason
  return answers
}

/** What requests answer: tickers by symbol, or a list of them. */
const figuresIn = (answer: unknown): ReadonlyArray<Figures> => {
  const tickers: ReadonlyArray<unknown> =
    typeof answer === "object" && answer !== null ? Object.values(answer) : []
  return tickers.filter(isFigures)
}

const isFigures = (value: unknown): value is Figures =>
  typeof value === "object" && value !== null && "symbol" in value
