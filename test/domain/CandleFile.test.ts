import { expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as CandleFile from "../../src/domain/CandleFile.ts"

const parse = (text: string) => CandleFile.parse(new TextEncoder().encode(text))
const told = (text: string) =>
  Either.match(parse(text), {
    onLeft: CandleFile.explainFlaw,
    onRight: ({ at, close, high, length, low, open }) =>
      Array.from({ length }, (_, i) => [at[i], open[i], high[i], low[i], close[i]].join(" "))
  })

test.each([
  [
    "a header, CRLF, a last line without an end",
    "ts,o,h,l,c,v\r\n60000,1,2,0.5,1.5,9\r\n120000,1,1,1,1,0",
    ["60000 1 2 0.5 1.5", "120000 1 1 1 1"]
  ],
  [
    "no header, a byte order mark, empty lines, no volume",
    "\ufeff60000,1,2,0.5,1.5\n\n \n",
    ["60000 1 2 0.5 1.5"]
  ],
  [
    "exponents and long numbers",
    "1e3,1.5e-5,2e-5,0.0000149999999999999999,0.000015,1",
    ["1000 0.000015 0.00002 0.000015 0.000015"]
  ],
  [
    "new to old",
    "120000,2,2,2,2,1\n60000,1,1,1,1,1",
    "line 2: timestamp is before the last one: rows have to be in order of time"
  ],
  ["nothing", "", []],
  ["one time twice", "1,1,1,1,1,1\n1,1,1,1,1,1", "line 2: timestamp stands in the file twice"],
  [
    "too few fields",
    "1,1,1,1,1,1\n2,1,1,1",
    "line 2: has 4 fields, needs timestamp,open,high,low,close,volume"
  ],
  ["a second header", "t,o,h,l,c,v\nt,o,h,l,c,v", "line 2: timestamp is not a whole number of milliseconds"],
  ["seconds with a fraction", "1.5,1,1,1,1,1", "line 1: timestamp is not a whole number of milliseconds"],
  ["not a price", "1,1,x,1,1,1", "line 1: high is not a price above 0 and at most 1e12"],
  ["a price of zero", "1,1,1,0,1,1", "line 1: low is not a price above 0 and at most 1e12"],
  ["infinite", "1,1,1e999,1,1,1", "line 1: high is not a price above 0 and at most 1e12"],
  ["crossed", "1,5,6,5.5,6,1", "line 1: low is above open or close"],
  ["crossed above", "1,5,5,4,6,1", "line 1: high is below open or close"],
  ["a volume below 0", "1,1,1,1,1,-1", "line 1: volume is not a number of 0 or more"]
] as const)("%s", (_, text, expected) => {
  expect(told(text)).toEqual(typeof expected === "string" ? expected : [...expected])
})

test("every double is read as Number would", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.double({ min: 1e-9, max: 1e12, noNaN: true }), (price) => {
      for (const text of [String(price), price.toFixed(8)]) {
        if (!(Number(text) > 0)) continue
        const columns = Either.getOrThrow(parse(`1,${text},${text},${text},${text},1`))
        expect(columns.open[0]).toBe(Number(text))
      }
    })
  )
})
