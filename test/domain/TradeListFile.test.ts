import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as DateFormat from "../../src/domain/internal/DateFormat.ts"
import * as Csv from "../../src/domain/tradeList/Csv.ts"
import { isTradeList, parse } from "../../src/domain/tradeList/TradeListFile.ts"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"

/** `2024-01-31 13:00 buy`, and the lines that were skipped. */
const read = (text: string) =>
  Either.match(parse(text), {
    onLeft: ({ line, text }) => ({ alerts: [`line ${line}: ${text}`], skipped: [] }),
    onRight: ({ alerts, skipped }) => ({
      alerts: alerts.map(
        ({ at, type }) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} ${type}`
      ),
      skipped: skipped.map(({ line, text }) => `${line}: ${text}`)
    })
  })
const lines = (...rows: ReadonlyArray<string>) => rows.join("\n")

const LONGS = [
  "2024-01-03 15:00 buy",
  "2024-01-05 09:00 sell",
  "2024-01-10 12:00 buy",
  "2024-01-14 06:00 sell"
]

const variants: ReadonlyArray<readonly [name: string, text: string]> = [
  [
    "the older columns, oldest first",
    lines(
      "Trade #,Type,Signal,Date/Time,Price USDT,Contracts,Profit USDT,Profit %",
      "1,Entry long,Long,2024-01-03 15:00,42150.5,0.237,,",
      "1,Exit long,Close,2024-01-05 09:00,43980.1,0.237,433.62,1.03",
      "2,Entry long,Long,2024-01-10 12:00,44000,0.23,,",
      "2,Exit long,Close,2024-01-14 06:00,44913,0.23,210,0.48",
      ""
    )
  ],
  [
    "the newer columns, newest first, each exit before its entry, with a byte order mark and returns",
    `\ufeff${lines(
      "Trade #,Type,Date and time,Signal,Price USDT,Position size (qty),Position size (value),Net P&L USDT\r",
      "2,Exit long,2024-01-14 06:00,Close,44913,0.23,10329,210\r",
      "2,Entry long,2024-01-10 12:00,Long,44000,0.23,10120,210\r",
      "1,Exit long,2024-01-05 09:00,Close,43980.1,0.237,10423,433\r",
      "1,Entry long,2024-01-03 15:00,Long,42150.5,0.237,9989,433\r"
    )}\n`
  ],
  [
    "semicolons, quotes, decimal commas and another order of the words",
    lines(
      '"Trade number";"Type";"Date and time";"Signal";"Price USDT"',
      '"1";"Long entry";"2024-01-03T15:00:00Z";"He said ""go""; now";"42150,5"',
      '"1";"Long exit";"2024-01-05 09:00:00";"two\nlines";"43980,1"',
      '"2";"Long Entry";"2024-01-10 13:00+01:00";"Long";"44000"',
      '"2";"Long Exit";"14.01.2024 06:00";"Close";"44913"'
    )
  ],
  [
    "tabs, and a line above the head",
    lines(
      "Strategy\t\t",
      "Trade #\tType\tDate/Time\tSignal",
      "1\tEntry Long\t2024-01-03 3:00 PM\tLong",
      "1\tExit Long\t1704445200\tClose",
      "2\tEntry Long\t2024/1/10 12:00\tLong",
      "2\tExit Long\t2024-01-14T06:00:00.000+00:00\tClose"
    )
  ],
  [
    "no numbers of trades, newest first, at one time the exit before the entry",
    lines(
      "Type,Date",
      "Exit long,2024-01-14 06:00",
      "Entry long,2024-01-10 12:00",
      "Exit long,2024-01-05 09:00",
      "Entry long,2024-01-03 15:00"
    )
  ]
]

describe("all known formats of a list give the same alerts", () => {
  test.each(variants)("%s", (_, text) => {
    expect(isTradeList(text)).toBe(true)
    expect(read(text)).toEqual({ alerts: LONGS, skipped: [] })
  })
})

test("a list with shorts gives futures alerts, and a position closes before it turns", () => {
  const text = lines(
    "Trade #,Type,Date and time,Signal,Price",
    "2,Exit short,2024-01-08 21:00,Stop,1",
    "2,Entry short,2024-01-05 09:00,Short,1",
    "1,Exit long,2024-01-05 09:00,Short,1",
    "1,Entry long,2024-01-03 15:00,Long,1"
  )
  const turned = [
    "2024-01-03 15:00 long",
    "2024-01-05 09:00 close_long",
    "2024-01-05 09:00 short",
    "2024-01-08 21:00 close_short"
  ]
  expect(read(text)).toEqual({ alerts: turned, skipped: [] })
  const [head = "", ...rows] = text.split("\n")
  expect(read(lines(head, ...rows.reverse())).alerts).toEqual(turned)
})

test("a position built and closed in parts is one alert each; a trade within one candle keeps its sequence", () => {
  const text = lines(
    "Trade #,Type,Signal,Date/Time",
    "1,Exit long,TP1,2024-01-05 09:00",
    "1,Entry long,L,2024-01-03 15:00",
    "2,Exit long,TP1,2024-01-05 09:00",
    "2,Entry long,L,2024-01-03 15:00",
    "3,Exit long,SL,2024-01-06 09:00",
    "3,Entry long,L,2024-01-06 09:00"
  )
  expect(read(text).alerts).toEqual([
    "2024-01-03 15:00 buy",
    "2024-01-05 09:00 sell",
    "2024-01-06 09:00 buy",
    "2024-01-06 09:00 sell"
  ])
})

test("lines without meaning are skipped, each with its reason", () => {
  const text = lines(
    "Trade #,Type,Signal,Date/Time,Price",
    "1,Entry long,Open,2024-01-03 15:00,1",
    "1,Exit long,Open,2024-01-05 09:00,1",
    "",
    "2,Margin call,,2024-01-05 09:00,1",
    "3,Entry long,Long,01/02/2024 09:00,1",
    "4,Exit long,Close,2024-02-30 09:00,1",
    "5,Exit long,Close,,1",
    "6,Entry exit long,Close,2024-01-05 09:00,1",
    "7"
  )
  expect(read(text)).toEqual({
    alerts: ["2024-01-03 15:00 buy"],
    skipped: [
      "3: the trade was still open at the end of the list",
      "5: its type is neither Entry nor Exit of a long or a short",
      "6: its date is not understood: dates look like 2024-01-31 13:00",
      "7: its date is not understood: dates look like 2024-01-31 13:00",
      "8: it has no date",
      "9: its type is neither Entry nor Exit of a long or a short",
      "10: its type is neither Entry nor Exit of a long or a short"
    ]
  })
})

test.each([
  ["", false],
  [`{"time":1,"type":"buy","date":"x"}`, false],
  ["ts,o,h,l,c,v\n1,2,3,4,5,6", false],
  [`"unclosed`, false],
  ["Type,Date", true]
])("%j is a list of trades: %p", (text, is) => expect(isTradeList(text)).toBe(is))

test.each([
  ["2024-01-31", Date.UTC(2024, 0, 31)],
  ["2024-01-31 13:00", Date.UTC(2024, 0, 31, 13)],
  ["2024-01-31, 13:00:07", Date.UTC(2024, 0, 31, 13, 0, 7)],
  ["2024-01-31T13:00:07.250Z", Date.UTC(2024, 0, 31, 13, 0, 7, 250)],
  ["2024-01-31 12:05 AM", Date.UTC(2024, 0, 31, 0, 5)],
  ["2024-01-31 13:00 UTC", Date.UTC(2024, 0, 31, 13)],
  ["2024-01-31T13:00-0530", Date.UTC(2024, 0, 31, 18, 30)],
  ["29.02.2024", Date.UTC(2024, 1, 29)],
  ["1706706000000", 1_706_706_000_000],
  ["2023-02-29", undefined],
  ["2024-01-31 24:00", undefined],
  ["2024-01-31 13:60", undefined],
  ["2024-01-31 13:00 PM", undefined],
  ["2024-01-31 13", undefined],
  ["2024-01-31 13:00 CET", undefined],
  ["31/01/2024", undefined],
  ["Jan 31, 2024", undefined],
  ["", undefined]
])("the date %j is parsed, or refused if ambiguous", (text, at) => expect(DateFormat.read(text)).toBe(at))

/** In some other order. */
const shuffled = <A>(dice: SeededRandom, all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all
    .map((one) => ({ one, place: dice.next() }))
    .sort((left, right) => left.place - right.place)
    .map(({ one }) => one)

test("any list of whole trades gives its alerts, whatever the sequence of rows, columns and the separator", () => {
  const dice = new SeededRandom(7)
  for (let round = 0; round < 200; round++) {
    const shorts = dice.chance(0.5)
    let at = Date.UTC(2024, 0, 1)
    const wanted: Array<string> = []
    const rows = Array.from({ length: dice.whole(1, 8) }, (_, index) => {
      const side = shorts && (index === 0 || dice.chance(0.5)) ? "short" : "long"
      const entered = at + dice.whole(0, 3) * 60_000
      at = entered + dice.whole(1, 9) * 60_000
      const times = [entered, at] as const
      const types = shorts ? [side, `close_${side}`] : ["buy", "sell"]
      for (const [place, time] of times.entries()) wanted.push(`${time} ${types[place]}`)
      const date = (time: number) => new Date(time).toISOString().slice(0, 16).replace("T", " ")
      return [
        { "Trade #": `${index + 1}`, Type: `Entry ${side}`, "Date/Time": date(times[0]), Signal: "a;b,c\td" },
        { "Trade #": `${index + 1}`, Type: `Exit ${side}`, "Date/Time": date(times[1]), Signal: 'x "y"' }
      ]
    }).flat()
    const columns = shuffled(dice, ["Trade #", "Type", "Date/Time", "Signal"] as const)
    const separator = dice.pick([",", ";", "\t"])
    const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
    const text = [
      columns.join(separator),
      ...shuffled(dice, rows).map((row) => columns.map((name) => quoted(row[name])).join(separator))
    ].join(dice.pick(["\n", "\r\n"]))
    const found = Either.getOrThrow(parse(text))
    expect(found.skipped).toEqual([])
    expect(found.alerts.map(({ at, type }) => `${at} ${type}`)).toEqual(wanted)
  }
})

test("a malformed list takes no more than a few times the memory of its text", () => {
  const size = 4_000_000
  const bombs = [
    `Type,Date${",".repeat(size)}`,
    `Type,Date\n"${'""'.repeat(size / 2)}"`,
    `Type,Date\n"${"x".repeat(size)}"`
  ]
  for (const bomb of bombs) {
    const cells = Csv.rows(bomb).flatMap((row) => row.cells)
    expect(cells.length).toBeLessThan(300)
    expect(cells.join("").length).toBeLessThan(30_000)
  }
  expect(read(`Type,Date\n${"a,b\n".repeat(500_000)}`).alerts).toEqual([
    "line 500001: a list of trades has at most 500000 rows"
  ])
  // What is left out is counted on over: lines keep their numbers.
  const long = `Type,Date,Note\nEntry long,2024-01-03 15:00,"${"x\n".repeat(20_000)}"\nnothing,,`
  expect(read(long)).toMatchObject({
    alerts: ["2024-01-03 15:00 buy"],
    skipped: [expect.stringMatching(/^20003: /)]
  })
})
