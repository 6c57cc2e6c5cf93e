// Times and days in the reader's zone. The adversary is a day of 23 or 25 hours, or one that never was.
import { describe, expect, test } from "bun:test"
import { timesIn } from "../../src/web/page/parts/reader/time.ts"

const at = (iso: string): number => Date.parse(iso) / 1000
const iso = (seconds: number | undefined): string =>
  seconds === undefined ? "no day" : new Date(seconds * 1000).toISOString().slice(0, 19)

test.each([
  ["Europe/Berlin", "25 Oct 2026, 02:30:00", "2026-10-25"],
  ["America/New_York", "24 Oct 2026, 20:30:00", "2026-10-24"],
  ["Asia/Kolkata", "25 Oct 2026, 06:00:00", "2026-10-25"],
  ["Pacific/Apia", "25 Oct 2026, 13:30:00", "2026-10-25"],
  ["UTC", "25 Oct 2026, 00:30:00", "2026-10-25"]
])("a moment is told by the clock of %s", (zone, text, day) => {
  const times = timesIn(zone)
  const moment = at("2026-10-25T00:30:00Z")
  expect(times.time(moment)).toBe(text)
  expect(times.minute(moment)).toBe(text.slice(0, -3))
  expect(`${times.day(moment)}, ${times.clock(moment)}`).toBe(text)
  expect(times.dayOf(moment)).toBe(day)
})

describe("a day of a date field begins and ends with the reader's", () => {
  test.each([
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00", "2026-03-29T21:59:59"],
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00", "2026-10-25T22:59:59"],
    ["America/New_York", "2026-03-08", "2026-03-08T05:00:00", "2026-03-09T03:59:59"],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00", "2026-11-02T04:59:59"],
    ["Asia/Kolkata", "2026-11-23", "2026-11-22T18:30:00", "2026-11-23T18:29:59"],
    ["Pacific/Apia", "2026-11-23", "2026-11-22T11:00:00", "2026-11-23T10:59:59"],
    // Samoa left this day out: it has no second.
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00", "2011-12-30T09:59:59"],
    // Clocks were put forward at midnight.
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00", "2018-11-05T01:59:59"],
    ["America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00:00", "2018-02-18T02:59:59"],
    ["UTC", "2026-12-31", "2026-12-31T00:00:00", "2026-12-31T23:59:59"],
    ["UTC", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T23:59:59"]
  ])("in %s on %s", (zone, day, begins, ends) => {
    const times = timesIn(zone)
    expect([iso(times.dayBegins(day)), iso(times.dayEnds(day))]).toEqual([begins, ends])
  })

  test("a text that is no day has no second", () => {
    for (const text of ["", "2026", "2026-02-30", "2026-11-23T00:00", "<img onerror>", "1-1-1", "1969-12-31"])
      expect(timesIn("Europe/Berlin").dayBegins(text)).toBeUndefined()
  })
})

test.each(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe"])(
  "each second of two years in %s belongs to one day, the one that its clock shows",
  (zone) => {
    const times = timesIn(zone)
    for (let seconds = at("2026-01-01T00:00:00Z"); seconds < at("2028-01-01T00:00:00Z"); seconds += 40_009) {
      const day = times.dayOf(seconds)
      expect(times.dayBegins(day) ?? Number.NaN).toBeLessThanOrEqual(seconds)
      expect(times.dayEnds(day) ?? Number.NaN).toBeGreaterThanOrEqual(seconds)
      expect(times.dayOf(times.dayBegins(day) ?? 0)).toBe(day)
      expect(times.dayOf((times.dayEnds(day) ?? 0) + 1)).not.toBe(day)
    }
  }
)

test("the reader's digits are in times too", () => {
  expect(timesIn("Africa/Cairo", "arab").time(at("2026-11-23T10:05:00Z"))).toBe("٢٣ Nov ٢٠٢٦, ١٢:٠٥:٠٠")
  expect(timesIn("Africa/Cairo", "arab").dayOf(at("2026-11-23T22:05:00Z"))).toBe("2026-11-24")
})

test("labels of an axis are the reader's midnights, and its clock in between", () => {
  const { label, shifted } = timesIn("America/New_York")
  expect(label(at("2026-11-23T05:00:00Z"), "day")).toBe("23 Nov")
  expect(label(at("2026-11-23T05:00:00Z"), "time")).toBe("00:00")
  expect(iso(shifted(at("2026-11-23T05:00:00Z")))).toBe("2026-11-23T00:00:00")
})
