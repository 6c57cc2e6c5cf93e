// Averages of the newest candles, which must not depend on where the candles begin: a server that began on one day and a
// back-test of all candles decide alike, also where a price equals its average.
import { expect, test } from "bun:test"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { closes, valuesOf } from "./drawn.ts"

const LENGTH = 500
const BEGINNINGS = [1, 2, 3, 5, 8, 13, 40]

for (const text of ["sma(close, 7)", "sma(close, 10)", "wma(close, 9)", "wma(wma(close, 4), 3)"])
  test(`${text} has the same bits wherever the candles begin`, () => {
    const dice = new SeededRandom(3)
    let price = 95_000
    const prices = Array.from({ length: LENGTH }, () => {
      price += dice.whole(-300, 300)
      return price / 100
    })
    const whole = valuesOf(text, closes(prices))
    for (const begin of BEGINNINGS) {
      const later = valuesOf(text, closes(prices.slice(begin)))
      expect([begin, later.slice(20)]).toEqual([begin, whole.slice(begin + 20)])
    }
  })
