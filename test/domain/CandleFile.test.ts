import { expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as CandleFile from "../../src/domain/candles/CandleFile.ts"
import { type FileTimes, MADE_UP, real } from "../../src/domain/candles/CandleTime.ts"

const within = (times: FileTimes, text: string) => CandleFile.parse(new TextEncoder().encode(text), times)
const parse = (text: string) => within(MADE_UP, text)
const told = (text: string) => telling(parse(text))
const telling = (read: ReturnType<typeof parse>) =>
  Either.match(read, {
    onLeft: CandleFile.explainError,
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
    "line 2: timestamp is before the last one: rows must be sorted by time"
  ],
  ["nothing", "", []],
  ["one time twice", "1,1,1,1,1,1\n1,1,1,1,1,1", "line 2: timestamp is in the file twice"],
  [
    "too few fields",
    "1,1,1,1,1,1\n2,1,1,1",
    "line 2: has 4 fields, needs timestamp,open,high,low,close,volume"
  ],
  [
    "a second header",
    "t,o,h,l,c,v\nt,o,h,l,c,v",
    "line 2: timestamp is not understood: write milliseconds since 1970, or a date like 2024-01-31T13:00:00Z"
  ],
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

const NOW = Date.UTC(2026, 10, 22)
const FIRST = Date.UTC(2024, 0, 31, 13)
/** What is read of real times, by the minute: the times alone. */
const timesIn = (text: string) =>
  Either.match(within(real(NOW), text), {
    onLeft: CandleFile.explainError,
    onRight: ({ at }) => [...at].map((it) => it - FIRST)
  })
const csv = (...times: ReadonlyArray<string | number>) => times.map((at) => `${at},1,2,0.5,1.5,9`).join("\n")

test.each([
  ["milliseconds", csv(FIRST, FIRST + 60_000)],
  ["seconds", csv(FIRST / 1000, FIRST / 1000 + 60)],
  ["seconds as pandas writes them", csv(`${FIRST / 1000}.0`, `${FIRST / 1000 + 60}.0`)],
  ["microseconds", csv(`${FIRST}000`, `${FIRST + 60_000}000`)],
  ["nanoseconds", csv(`${FIRST}000000`, `${FIRST + 60_000}000000`)],
  ["dates", `time,o,h,l,c,v\n${csv("2024-01-31T13:00:00Z", "2024-01-31T13:01:00Z")}`],
  ["dates without a zone", csv("2024-01-31 13:00", "2024-01-31 13:01:00")],
  ["dates of another zone", csv("2024-01-31T15:00:00+02:00", "2024-01-31T15:01:00.000+0200")],
  ["dates in quotes", csv('"2024-01-31 13:00:00"', '"2024-01-31 13:01:00"')],
  [
    "freqtrade's lists",
    JSON.stringify([
      [FIRST, 1, 2, 0.5, 1.5, 9],
      [FIRST + 60_000, 1, 2, 0.5, 1.5, 9]
    ])
  ],
  [
    "an exchange's lists of texts",
    ` [[${FIRST},"1","2","0.5","1.5","9",1,"x"],\n[${FIRST + 60_000},"1","2","0.5","1.5","9",1,"x"]]`
  ],
  [
    "columns and data, as freqtrade's server has them",
    JSON.stringify({
      columns: ["date", "open", "high", "low", "close", "volume", "rsi"],
      data: [
        ["2024-01-31T13:00:00Z", 1, 2, 0.5, 1.5, 9, null],
        ["2024-01-31T13:01:00Z", 1, 2, 0.5, 1.5, 9, 50]
      ]
    })
  ],
  [
    "a list of objects",
    JSON.stringify(
      [FIRST, FIRST + 60_000].map((date) => ({
        Date: date,
        close: 1.5,
        low: 0.5,
        high: 2,
        open: 1,
        volume: 9
      }))
    )
  ]
])("the unit of times is recognized by their size: %s", (_, text) => {
  expect(timesIn(text)).toEqual([0, 60_000])
})

test.each([
  [
    "in a line",
    csv(`${FIRST}000`, FIRST + 60_000),
    "line 2: timestamp is written in milliseconds, and those before it in microseconds"
  ],
  [
    "after a date",
    csv("2024-01-31", FIRST),
    "line 2: timestamp is written in milliseconds, and those before it in dates"
  ],
  [
    "before a date",
    csv(FIRST, "2024-02-01"),
    "line 2: timestamp is written in dates, and those before it in milliseconds"
  ],
  [
    "at the far end",
    csv(FIRST, `${FIRST + 1}000`),
    "line 2: timestamp is written in microseconds, and those before it in milliseconds"
  ]
])("a file has one unit; another one %s is refused", (_, text, flaw) => {
  expect(timesIn(text)).toBe(flaw)
})

const YEAR =
  ", and not from 2009 to a year from now: say --any-time (any_time in a request) if times are made up"
test.each([
  ["made-up ms", csv(60_000), `line 1: its time is in the year 1970${YEAR}`],
  ["before 2009", csv("2008-12-31T23:59:59Z"), `line 1: its time is in the year 2008${YEAR}`],
  ["over a year ahead", csv(FIRST, Date.UTC(2027, 11, 1)), `line 2: its time is in the year 2027${YEAR}`],
  [
    "far ahead, in a row of JSON",
    JSON.stringify([[9e12, 1, 2, 0.5, 1.5, 9]]),
    `row 1: its time is in the year 2255${YEAR}`
  ],
  ["a row without a name in an index", csv(0, 1), `line 1: its time is in the year 1970${YEAR}`],
  ["between two ms", csv(`${FIRST}500`), "line 1: timestamp is not a whole number of milliseconds"],
  [
    "no such day",
    csv("2024-02-30"),
    "line 1: timestamp is not understood: write milliseconds since 1970, or a date like 2024-01-31T13:00:00Z"
  ],
  ["broken JSON", "[[1,2", "line 1: is not valid JSON"],
  [
    "JSON of something else",
    '{"a":1}',
    "line 1: is JSON of another shape: it must be a list of [time, open, high, low, close, volume]"
  ],
  ["JSON without prices", '[{"date":1,"open":2}]', "line 1: names no high, low, close among its columns"],
  ["JSON with a gap", `[[${FIRST},1,null,0.5,1.5,9]]`, "row 1: high is not a price above 0 and at most 1e12"]
])("implausible candles are refused: %s", (_, text, flaw) => {
  expect(timesIn(text)).toBe(flaw)
})

test("a date without a time is midnight UTC, and the first and last real times are accepted", () => {
  expect(timesIn(csv("2024-01-31"))).toEqual([-13 * 3_600_000])
  expect(timesIn(csv(Date.UTC(2009, 0, 1), NOW + 366 * 86_400_000 - 1))).toHaveLength(2)
})

test("rows in any unit give the same candles, however many and by whichever reader", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.array(FastCheck.integer({ min: 1_230_768_000, max: NOW / 1000 }), {
        minLength: 1,
        maxLength: 50
      }),
      FastCheck.boolean(),
      (found, hasMore) => {
        const seconds = [...new Set(found)].sort((one, other) => one - other)
        const rows = (zeros: string) =>
          seconds.map((at) => `${at}${zeros},1,2,0.5,1.5,9${hasMore ? ",x,y" : ""}`)
        for (const zeros of ["", "000", "000000", "000000000"]) {
          const read = Either.getOrThrow(within(real(NOW), rows(zeros).join("\r\n")))
          expect([...read.at]).toEqual(seconds.map((at) => at * 1000))
        }
      }
    )
  )
})

test("volumes are read, and a row without one has none", () => {
  const { volume } = Either.getOrThrow(parse("60000,1,2,0.5,1.5,9\n120000,1,1,1,1\n180000,1,1,1,1,0.25"))
  expect([...(volume ?? [])]).toEqual([9, Number.NaN, 0.25])
})
