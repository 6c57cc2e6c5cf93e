import { describe, expect, test } from "bun:test"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Posting } from "../../src/trading/books/Ledger.ts"
import { audited, Venue, type Written } from "./venue.ts"

/** The first life whose books have what a test is about. */
const written = (has: (books: Written) => boolean): Written => {
  for (let seed = 1; seed <= 400; seed++) {
    const books = new Venue(seed).run(400).books()
    if (has(books)) return books
  }
  throw new Error("no life has it")
}
const isOf = (name: string) => (posting: Posting) => posting.lines.some(({ account }) => account === name)
const spoiled = <A>(rows: ReadonlyArray<A>, place: number, value: A): ReadonlyArray<A> =>
  rows.map((row, index) => (index === place ? value : row))

describe("live books that were tampered with", () => {
  const inPeriods = written(({ trades }) => new Set(trades.map(({ period }) => period)).size > 1)

  test("are sound before they are changed", () => expect(audited(inPeriods)).toEqual([]))

  test("a trade with another period is found", () => {
    const { trades } = inPeriods
    for (const [place, trade] of trades.entries()) {
      const found = audited({ ...inPeriods, trades: spoiled(trades, place, { ...trade, period: 99 }) })
      expect(found.join()).toMatch(/period is/)
    }
  })

  test("a bot in another period is found", () => {
    const { state } = inPeriods
    const found = audited({ ...inPeriods, state: { ...state, period: (state.period ?? 1) + 1 } })
    expect(found.join()).toMatch(/period is/)
  })

  test("real money recorded as paper is found", () => {
    const place = inPeriods.trades.findIndex(({ live }) => live === true)
    const trade = inPeriods.trades[place]
    if (trade === undefined) throw new Error("no trade was live")
    const { live: _, ...onPaper } = trade
    expect(audited({ ...inPeriods, trades: spoiled(inPeriods.trades, place, onPaper) })).toEqual([
      `trades ${place + 1}: live is missing, its fills make it true`
    ])
  })

  test("performance that began at another time is found", () => {
    const { tally } = inPeriods
    const found = audited({ ...inPeriods, tally: { ...tally, createdAt: tally.createdAt + 1 } })
    expect(found.join()).toMatch(/tally: createdAt/)
  })

  test("a write-off of another amount, or of an existing position, is found", () => {
    const books = written(({ postings }) => postings.some(isOf("written_off")))
    const place = books.postings.findIndex(isOf("written_off"))
    const posting = books.postings[place]
    if (posting === undefined) throw new Error("nothing was written off")
    const twice = posting.lines.map((line) => ({ ...line, amount: Decimal.add(line.amount, line.amount) }))
    const other = audited({
      ...books,
      postings: spoiled(books.postings, place, { ...posting, lines: twice })
    })
    expect(other.join()).toMatch(/written_off is/)
    const before = books.postings.toSpliced(place, 1)
    expect(audited({ ...books, postings: before }).length).toBeGreaterThan(0)
  })

  test("a stop of another size or destination is found", () => {
    const books = written(({ state }) => Object.values(state.slots).some(({ stop }) => stop !== undefined))
    const [key, slot] = Object.entries(books.state.slots).find(([, { stop }]) => stop !== undefined) ?? []
    if (key === undefined || slot?.stop?.live === undefined) throw new Error("no stop rests")
    const { stop } = slot
    const withStop = (other: typeof stop) =>
      audited({
        ...books,
        state: { ...books.state, slots: { ...books.state.slots, [key]: { ...slot, stop: other } } }
      })
    expect(withStop({ ...stop, quantity: Decimal.zero }).join()).toMatch(/order .* quantity is 0/)
    const live = { account: slot.stop.live.account, tag: "ffff" }
    expect(withStop({ ...stop, live }).join()).toMatch(/live is 7:ffff, the rest of its intent is 7:00ff/)
    expect(audited({ ...books, inFlight: [] }).join()).toMatch(/no such order is stored/)
  })
})
