import { expect, test } from "bun:test"
import { Either, Option } from "effect"
import * as AlertBody from "../../src/domain/alert/AlertBody.ts"
import { shelve } from "../../src/domain/alert/AlertPairs.ts"
import * as Catalogue from "../../src/domain/catalogue/Catalogue.ts"
import { Pair } from "../../src/domain/Market.ts"
import { alertBodies } from "../reliability/walls/Corpus.ts"

// Every alert body of the corpus, each with its source there: understood and said how, or refused with a text that
// tells its owner what to change. The signal stands in the address, and its strategies trade BTC and ETH for USDT.

const pairs = {
  own: shelve([Pair.make("BTC/USDT"), Pair.make("ETH/USDT")]),
  all: shelve(Catalogue.all().map(({ pair }) => pair))
}

const said = (result: ReturnType<typeof AlertBody.decode>): string =>
  Either.match(result, {
    onLeft: (refused) => {
      if (refused._tag === "Unsure") return "unsure"
      return `refused: ${refused._tag === "Unreadable" ? refused.text : refused.violations.map(({ field }) => field).join(", ")}`
    },
    onRight: ({ instruction, test, warnings }) => {
      const { coin, quoteCurrency, sl, tp, type } = instruction
      const price = (name: string, value: Option.Option<number>) =>
        Option.match(value, { onNone: () => "", onSome: (it) => ` ${name} ${it}` })
      const warned = warnings.length === 0 ? "" : ` (${warnings.length} warnings)`
      return `${type} ${coin}/${quoteCurrency}${price("tp", tp)}${price("sl", sl)}${test ? " test" : ""}${warned}`
    }
  })

const decoded = () =>
  alertBodies().map(({ body, type }) =>
    AlertBody.decode({ body, contentType: type, query: "signal_id=1" }, () => pairs)
  )

test("each body is decoded, or refused with the right field", () => {
  expect(decoded().map(said)).toEqual([
    "refused: type, coin, quote_currency",
    "refused: coin, quote_currency",
    "refused: type",
    'refused: the body is plain text: send JSON such as {"signal_id":1,"symbol":"{{ticker}}","type":"buy"}',
    "refused: the body is not JSON: it holds {{ticker}}, which the charting platform did not fill in",
    "close_long BTC/USDT (4 warnings)",
    "refused: the body is not valid JSON: write texts in double quotes",
    "refused: ticker",
    "refused: ticker",
    "refused: ticker",
    "buy BTC/USDT (2 warnings)",
    "refused: action, ticker",
    "refused: action, instrument, id",
    "long BTC/USDT (1 warnings)",
    "long BTC/USDT (2 warnings)",
    'refused: the body is plain text: send JSON such as {"signal_id":1,"symbol":"{{ticker}}","type":"buy"}',
    'refused: the body is plain text: send JSON such as {"signal_id":1,"symbol":"{{ticker}}","type":"buy"}',
    "long ETH/USDT (2 warnings)",
    "refused: the body is not JSON: it holds {{close}}, which the charting platform did not fill in",
    "buy BTC/USDT (3 warnings)",
    "long BTC/USDT test",
    "refused: the body is not valid JSON: take out the comma after the last field",
    "buy BTC/USDT (4 warnings)",
    "sell XAU/USD tp 2038 sl 2055.5 (1 warnings)",
    "buy BTC/USDT (1 warnings)",
    "buy BTC/USDT (1 warnings)",
    "buy BTC/USDT (3 warnings)",
    "buy SOL/USDC (2 warnings)",
    'refused: the body is not valid JSON: send {"signal_id":1,"symbol":"{{ticker}}","type":"buy"}',
    "refused: pair",
    "buy ETH/BTC (1 warnings)",
    "sell BTC/USDT (1 warnings)",
    "buy EUR/USD (3 warnings)",
    "refused: the body is not JSON: it holds {{ticker}}, which the charting platform did not fill in",
    "refused: type, symbol",
    'refused: the body is plain text: send JSON such as {"signal_id":1,"symbol":"{{ticker}}","type":"buy"}',
    "refused: side, symbol",
    "refused: the body is not valid JSON: take out the comments",
    "refused: type",
    "refused: type, coin, quote_currency",
    "buy BTC/USDT",
    "buy BTC/USDT",
    "refused: the body is not valid JSON: NaN is no number: an indicator gave no value, so leave the field out",
    "refused: tp",
    "buy BTC/USDT tp 68000.5 sl 61000",
    "buy BTC/USDT",
    "refused: coin",
    "close_long BTC/USDT",
    "buy BTC/USDT tp 68000 sl 61000",
    "buy BTC/USDT",
    "sell BTC/USDT",
    "refused: the body is not valid JSON: write names and texts in double quotes, not in single ones",
    "refused: the body is not valid JSON: it holds two objects: send each alert by itself",
    "refused: tp",
    "refused: tp, sl",
    "refused: tp",
    "refused: type, coin, quote_currency",
    'refused: the body must be one JSON object, such as {"signal_id":1,"symbol":"{{ticker}}","type":"buy"}',
    "buy BTC/USDT"
  ])
})

test("every violation and warning is short", () => {
  for (const result of decoded()) {
    const texts = Either.match(result, {
      onLeft: (refused) => {
        if (refused._tag === "Unsure") return []
        return refused._tag === "Unreadable" ? [refused.text] : refused.violations.map(({ text }) => text)
      },
      onRight: ({ warnings }) => warnings
    })
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(200)
  }
})
