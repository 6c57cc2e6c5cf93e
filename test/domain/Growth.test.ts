// The adversary: whoever can get a text before one of our readers, and makes it one that is slow to read. Each reader
// of texts from outside goes through long runs of whatever it may be looking for.
import { describe, expect, test } from "bun:test"
import { codingOf, hasAlready } from "../../src/api/Negotiation.ts"
import { addressOf } from "../../src/domain/Address.ts"
import * as AlertPair from "../../src/domain/alert/AlertPair.ts"
import * as AlertReading from "../../src/domain/alert/AlertReading.ts"
import * as AlertWords from "../../src/domain/alert/AlertWords.ts"
import { incoming } from "../../src/domain/alert/Incoming.ts"
import { unfilled } from "../../src/domain/alert/Placeholder.ts"
import * as CandleFile from "../../src/domain/candles/CandleFile.ts"
import * as CandleTime from "../../src/domain/candles/CandleTime.ts"
import { positionOf } from "../../src/domain/Event.ts"
import * as DateFormat from "../../src/domain/internal/DateFormat.ts"
import { redact } from "../../src/domain/internal/Redaction.ts"
import { exchangeNameOf, Pair } from "../../src/domain/Market.ts"
import * as Form from "../../src/domain/requests/Form.ts"
import * as IdempotencyKey from "../../src/domain/requests/IdempotencyKey.ts"
import * as MarketRequest from "../../src/domain/requests/MarketRequest.ts"
import * as TargetRequest from "../../src/domain/requests/TargetRequest.ts"
import * as TradeListFile from "../../src/domain/tradeList/TradeListFile.ts"
import * as Cookie from "../../src/http/access/Cookie.ts"
import { bearerOf, keyOf } from "../../src/http/access/Gate.ts"
import * as Origin from "../../src/http/access/Origin.ts"
import { isLocalName, networkOf } from "../../src/http/edge/Peer.ts"
import * as Proxies from "../../src/http/edge/Proxies.ts"
import { decodeCursor } from "../../src/http/request/Pages.ts"
import * as Percent from "../../src/http/request/Percent.ts"
import * as AlertsFile from "../../src/trading/backtest/AlertsFile.ts"
import * as BacktestBody from "../../src/trading/backtest/BacktestBody.ts"
import { flawOf, MOST_TIMES, processorMs, TIMES, type Work } from "../lib/growth.ts"
import { FORMS, JSONS, type Shapes, TEXTS } from "../lib/hostile.ts"

const KIB = 1024
const utf8 = new TextEncoder()
const all: Shapes = { ...TEXTS, ...JSONS, ...FORMS }

/** Readers of bodies, parameters and headers: all of these read on the event loop. */
const TEXT_READERS: Readonly<Record<string, Work>> = {
  redaction: redact,
  "an alert on record": (text) => incoming("alert", text, text.slice(0, 8 * KIB)),
  "an alert": (body) => AlertReading.read({ body, contentType: "", query: "signal_id=1" }, () => undefined),
  "an alert called JSON": (body) =>
    AlertReading.read({ body, contentType: "application/json", query: "" }, () => undefined),
  "an alert called a form": (body) =>
    AlertReading.read({ body, contentType: "application/x-www-form-urlencoded", query: "" }, () => undefined),
  "an alert's address": (query) => AlertReading.read({ body: "", contentType: "", query }, () => undefined),
  "a symbol": (text) => AlertPair.parse(text, { coin: undefined, quote: undefined }),
  "an action": (text) => AlertWords.read(text),
  placeholders: unfilled,
  "a form": Form.read,
  "a pair": (text) => MarketRequest.readMarket({ exchange: text, pair: text, kind: text, active: true }),
  "a search": (text) => MarketRequest.readMarketQuery({ exchange: text, search: text, limit: text }),
  "an exchange": exchangeNameOf,
  "an address that is posted to": (text) =>
    TargetRequest.parse(
      { kind: "webhook", url: `https://${text}`, events: [text], secret: text },
      { allowPrivate: false, secret: "whsec" }
    ),
  "a place in the stream of events": positionOf,
  "a cursor": decodeCursor,
  "percent signs": Percent.decodeField,
  "a key in an address": keyOf,
  "a bearer": (text) => bearerOf(`Bearer ${text}`),
  "a cookie": (text) => Cookie.read(text, false),
  "an idempotency key": IdempotencyKey.read,
  "an origin": (text) => Origin.isOwn({ origin: text, fetchSite: text }, "http://a.example"),
  "a peer": (text) => [networkOf(text), isLocalName(text), addressOf(text)],
  "what proxies say": (text) => proxies.clientOf("127.0.0.1", text),
  codings: (text) => codingOf(text, () => true),
  "entity tags": (text) => hasAlready(text, '"a"'),
  "a date of a list of trades": DateFormat.read,
  "a date of a candle": CandleTime.dateOf
}
const found = Proxies.parse("127.0.0.1/8,10.0.0.0/8")
const proxies = found._tag === "Some" ? found.value : Proxies.none

/** Readers of files, which read in a process of their own: only how their work grows counts. */
const FILE_READERS: Readonly<Record<string, Work>> = {
  "a file of candles": (text) => CandleFile.parse(utf8.encode(text), CandleTime.MADE_UP),
  "a list of trades": (text) => TradeListFile.parse(`Type,Date\n${text}`),
  "a file of alerts": (text) => AlertsFile.read(utf8.encode(text), Pair.make("BTC/USDT"), CandleTime.MADE_UP),
  "a back-test": (text) => BacktestBody.read(utf8.encode(text))
}
const files: Shapes = {
  ...all,
  "cells in quotes": (size) => '"a",'.repeat(size / 4),
  "lines of quotes": (size) => '"a"\n'.repeat(size / 4),
  "quotes that do not end": (size) => 'a,"\n'.repeat(size / 4),
  "rows of candles": (size) => "1,1,1,1,1,1\n".repeat(size / 12),
  "short rows": (size) => "1\n".repeat(size / 2),
  "rows of dates": (size) => "2024-01-31 13:00:00,1,1,1,1,1\n".repeat(size / 30),
  "rows of trades": (size) => "Entry long,2024-01-31 13:00\n".repeat(size / 28),
  "rows of one alert": (size) =>
    '{"time":1706706000000,"coin":"BTC","quote_currency":"USDT","type":"buy"}\n'.repeat(size / 73)
}

const flawsOf = async (work: Work, shapes: Shapes, size: number, mostHeldMs?: number) => {
  const flaws: Array<string> = []
  for (const [name, shape] of Object.entries(shapes)) {
    const flaw = await flawOf(work, shape(size / TIMES), shape(size), mostHeldMs)
    if (flaw !== undefined) flaws.push(`${name}: ${flaw}`)
  }
  return flaws
}

describe("work grows with the text", () => {
  test.each(Object.entries(TEXT_READERS))(
    "%s",
    async (_, work) => expect(await flawsOf(work, all, 64 * KIB)).toEqual([]),
    60_000
  )
  test.each(Object.entries(FILE_READERS))(
    "%s",
    async (_, work) => expect(await flawsOf(work, files, 256 * KIB, Number.POSITIVE_INFINITY)).toEqual([]),
    120_000
  )
})

test("redaction takes a few milliseconds, however long the text", async () => {
  expect(await flawsOf(redact, all, 64 * KIB, 5)).toEqual([])
  expect(await flawsOf(redact, TEXTS, 1_024 * KIB, 5)).toEqual([])
})

test("a form has a thousand fields, and no more", () => {
  expect(Form.read(`${"a=1&".repeat(Form.MAX_FIELDS - 1)}b=2`)).toMatchObject({ right: { a: "1", b: "2" } })
  expect(Form.read(`${"a=1&".repeat(Form.MAX_FIELDS)}b=2`)).toMatchObject({
    left: "the form holds more than 1000 fields"
  })
})

describe("a reader is found out", () => {
  test("whose work grows with the square", async () => {
    const quadratic: Work = (text) => {
      let count = 0
      for (let at = 0; at < text.length; at++) if (text.indexOf("b", at) >= 0) count++
      return count
    }
    const flaw = await flawOf(
      quadratic,
      "a".repeat(16 * KIB),
      "a".repeat(256 * KIB),
      Number.POSITIVE_INFINITY
    )
    expect(flaw).toMatch(/times as long/)
  }, 60_000)
  test("that holds the event loop", async () => {
    const slow: Work = (text) => {
      for (const began = processorMs(); processorMs() - began < text.length / 1_000; );
    }
    expect(await flawOf(slow, "a".repeat(2_000), "a".repeat(30_000))).toMatch(/held for/)
    expect(await flawOf(slow, "a".repeat(600), "a".repeat(9_600))).toBeUndefined()
    expect(MOST_TIMES).toBeGreaterThan(TIMES)
  })
})
