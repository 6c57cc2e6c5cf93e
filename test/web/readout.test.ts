// What a chart says about the moment at the pointer.
import { expect, test } from "bun:test"
import { placeAfter, readoutOf, sentenceOf, timesOf } from "../../src/web/page/parts/chart/readout.ts"
import type { Drawing } from "../../src/web/page/parts/drawing.ts"
import * as Format from "../../src/web/page/parts/format.ts"
import { notesOf, type Prices } from "../../src/web/page/strategy/chart.ts"

const candles: Prices["candles"] = [
  [60, 100, 110, 90, 105],
  [120, 105, 106, 104, 104.5],
  // A hole of a minute.
  [240, 104, 104, 99, 100]
]
const marker = {
  purpose: "entry",
  role: "open",
  side: "buy",
  price: 101.5,
  quantity: 0.01,
  exit_reason: null
} as const
const prices: Prices = {
  ...{ source: "live", interval_seconds: 60, candles, markers_total: 3 },
  markers: [
    { ...marker, at: 61.5 },
    { ...marker, at: 62, role: "add" },
    { ...marker, at: 250, purpose: "exit", role: "close", side: "sell", exit_reason: "take_profit" }
  ]
}
const drawing: Drawing = {
  series: [
    {
      kind: "candles",
      bars: candles.map(([time, open, high, low, close]) => ({ time, open, high, low, close }))
    }
  ],
  notes: notesOf(prices)
}

test("a candle is read with its open, high, low and close and with every fill on it", () => {
  expect(readoutOf(drawing, 60)).toEqual({
    title: Format.time(60),
    readings: [
      { name: "Open", text: "100.00" },
      { name: "High", text: "110.00" },
      { name: "Low", text: "90.00" },
      { name: "Close", text: "105.00" }
    ],
    notes: ["Entry: bought 0.01 at 101.50", "Added: bought 0.01 at 101.50"]
  })
  expect(readoutOf(drawing, 120)?.notes).toEqual([])
  const last = readoutOf(drawing, 240)
  expect(last === undefined ? "" : sentenceOf(last)).toEndWith(
    "Close 100.00, Take profit: sold 0.01 at 101.50"
  )
})

test("where the chart has no candle nothing is read", () => {
  for (const time of [0, 59, 61, 180, 241, Number.NaN]) expect(readoutOf(drawing, time)).toBeUndefined()
  expect(readoutOf({ series: [] }, 60)).toBeUndefined()
})

test("curves are read by their names and formats, the last of several values of one second", () => {
  const format = (value: number) => `${value} %`
  const curve: Drawing = {
    series: [
      {
        kind: "area",
        title: "Equity",
        points: [
          { time: 1, value: 5 },
          { time: 2, value: 6 },
          { time: 2, value: 7 }
        ]
      },
      { kind: "area", title: "Drawdown", format, points: [{ time: 2, value: -1 }] }
    ]
  }
  expect(timesOf(curve)).toEqual([1, 2])
  expect(readoutOf(curve, 2)?.readings).toEqual([
    { name: "Equity", text: "7.00" },
    { name: "Drawdown", text: "-1 %" }
  ])
})

test("keys move along the chart and stop at its ends", () => {
  expect(
    ["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"].map((key) => placeAfter(key, 1, 5))
  ).toEqual([0, 2, 4, 0, 0, 4])
  expect(placeAfter("Tab", 1, 5)).toBeUndefined()
})
