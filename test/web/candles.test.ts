// What the settings say of candles: the progress, the result and the holes of a download.
import { expect, test } from "bun:test"
import {
  type Download,
  holeText,
  nameOf,
  progressText,
  resultText
} from "../../src/web/page/candles/words.ts"

const JUNE = Date.UTC(2026, 5, 1) / 1000
const download: Download = {
  ...{ exchange: "binance", pair: "BTC/USDT", kind: "spot", timeframe: "1m" },
  ...{ from: JUNE, to: JUNE + 86_400, stage: "running", began: JUNE, ended: null, done: 0, total: 0 },
  ...{ left_seconds: null, waiting: null, failure: null, result: null }
}
const result = { days_fetched: 2, days_kept: 0, candles_fetched: 2880, missing: 0, listed_from: null }

test("the progress has a share and the time left as soon as each is known", () => {
  expect(progressText(download)).toBe("Asking the exchange…")
  expect(progressText({ ...download, done: 1439, total: 2880 })).toBe("49 %: 1,439 of 2,880 candles")
  expect(progressText({ ...download, done: 2880, total: 2880, left_seconds: 0 })).toStartWith("100 %:")
  expect(progressText({ ...download, done: 1, total: 2880, left_seconds: 42 })).toEndWith("about 42 s left")
})

test("the result says what was fetched, what was there, and what the exchange does not have", () => {
  const said = (change: Partial<typeof result> | { readonly listed_from: number }) =>
    resultText({ ...download, stage: "done", result: { ...result, ...change } })
  expect(said({})).toBe("2,880 candles of 2 days fetched.")
  expect(said({ days_fetched: 0, days_kept: 2 })).toBe("Nothing to fetch: all 2 days are stored.")
  expect(said({ days_kept: 1, missing: 1 })).toBe(
    "2,880 candles of 2 days fetched; 1 day was stored already. 1 candle is missing at the exchange itself."
  )
  expect(said({ listed_from: JUNE })).toContain("binance has none before")
})

test("a hole is told by its first and last candle, and whether a download can fill it", () => {
  const hole = { from: JUNE, to: JUNE + 120, candles: 3, known: true }
  expect(holeText(hole)).toBe("2026-06-01 00:00 to 2026-06-01 00:02: 3 candles, the exchange has none")
  expect(holeText({ ...hole, to: JUNE, candles: 1, known: false })).toBe(
    "2026-06-01 00:00: 1 candle, not downloaded"
  )
  expect(nameOf({ ...download, kind: "swap" })).toBe("BTC/USDT perpetual on binance, 1m")
})
