// Requests prices through ccxt for markets whose streams are silent.
import type { Ccxt, Figures } from "../../ccxt/Ccxt.ts"
import type { Channels } from "../../ccxt/Channels.ts"

/** When a request was sent: by our steady time and by the clock (ms). */
export interface FeedRequest {
  readonly at: number
  readonly clock: number
}

/** The prices of these markets by symbol, as far as there are any. Fails if there are none. */
export const request = async (
  ccxt: Ccxt,
  rest: Channels["rest"],
  symbols: ReadonlyArray<string>
): Promise<ReadonlyMap<string, Figures>> => {
  const answers = figuresIn(await fetched(ccxt, rest, symbols))
  // ccxt takes half an answer, or a page for people, for one without tickers.
  if (answers.length === 0) throw new TypeError("no ticker in the answer")
  return new Map(answers.map((figures) => [String(figures.symbol), figures]))
}

const fetched = async (
  ccxt: Ccxt,
  rest: Channels["rest"],
  symbols: ReadonlyArray<string>
): Promise<unknown> => {
  if (rest === "tickers") return ccxt.fetchTickers([...symbols])
  if (rest === "bidsAsks") return ccxt.fetchBidsAsks([...symbols])
  // A failed one says nothing about the others.
  const outcomes = await Promise.allSettled(symbols.map((symbol) => ccxt.fetchTicker(symbol)))
  const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []))
  const failed = outcomes.find((outcome) => outcome.status === "rejected")
  if (answers.length === 0 && failed !== undefined) throw failed.reason
  return answers
}

/** The tickers of an answer, which has them by symbol or as a list. */
const figuresIn = (answer: unknown): ReadonlyArray<Figures> => {
  const tickers: ReadonlyArray<unknown> =
    typeof answer === "object" && answer !== null ? Object.values(answer) : []
  return tickers.filter(isFigures)
}

const isFigures = (value: unknown): value is Figures =>
  typeof value === "object" && value !== null && "symbol" in value
