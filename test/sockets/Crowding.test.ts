// One peer opens as many connections as there are descriptors: another's next one has a place, and of a peer's own
// those that are of use stay.
import { expect, test } from "bun:test"
import { boundsOf, type Connection, excess, type Traffic } from "../../src/sockets/Crowding.ts"

const SILENT: Traffic = { hasRequest: false, isAnswered: false, quietMs: 0 }
const BOUNDS = { perPeer: 10, total: 24 }

const crowd = (network: string, count: number, from: number, isShared = false): ReadonlyArray<Connection> =>
  Array.from({ length: count }, (_, at) => ({
    descriptor: from + at,
    network,
    since: at,
    isYoung: false,
    isShared
  }))

const closed = (
  connections: ReadonlyArray<Connection>,
  bounds = BOUNDS,
  traffic: (descriptor: number) => Traffic = () => SILENT
) => [...excess(connections, bounds, traffic)].sort((a, b) => a - b)

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

test("the limits follow the process's own: no peer gets more than half, and some descriptors are kept free", () => {
  expect(boundsOf(256, 256)).toEqual({ total: 192, perPeer: 96 })
  expect(boundsOf(20_000, 256)).toEqual({ total: 8_192, perPeer: 256 })
  expect(boundsOf(1_024, 0)).toEqual({ total: 768, perPeer: Number.POSITIVE_INFINITY })
})

test("no connection is closed within the limits, and none is examined", () => {
  const asked: Array<number> = []
  const watched = (descriptor: number) => {
    asked.push(descriptor)
    return SILENT
  }
  expect(excess([...crowd("a", 10, 0), ...crowd("b", 10, 100)], BOUNDS, watched)).toEqual([])
  expect(asked).toEqual([])
})

test("a peer beyond its limit loses its oldest unanswered connections, and others lose nothing", () => {
  expect(closed([...crowd("a", 14, 0), ...crowd("b", 3, 100)])).toEqual([0, 1, 2, 3])
})

test("unanswered connections go first, then quiet ones, then busy ones", () => {
  const traffic = (descriptor: number): Traffic =>
    descriptor < 12
      ? { hasRequest: true, isAnswered: true, quietMs: descriptor === 5 ? 9_000 : descriptor }
      : SILENT
  // 12 and 13 were never answered, 5 is quiet for long, 11 for longer than the rest.
  expect(closed(crowd("a", 14, 0), BOUNDS, traffic)).toEqual([5, 11, 12, 13])
})

test("when all peers together exceed the limit, those with the most connections lose first", () => {
  const all = [...crowd("a", 10, 0), ...crowd("b", 10, 100), ...crowd("c", 9, 200), ...crowd("d", 1, 300)]
  // 30 are 6 too many: down to 8 each, and two more of those at 8.
  const gone = closed(all)
  expect(gone.length).toBe(6)
  expect(gone).not.toContain(300)
  const of = (from: number) => gone.filter((it) => it >= from && it < from + 100).length
  expect([of(0), of(100), of(200)].map((lost, at) => ([10, 10, 9][at] ?? 0) - lost).sort()).toEqual([7, 8, 8])
})

test("with a thousand peers of one connection each, the oldest silent connections are closed", () => {
  const all = numbers(0, 30).map((at) => ({
    descriptor: at,
    network: `n${at}`,
    since: at,
    isYoung: false,
    isShared: false
  }))
  expect(closed(all)).toEqual(numbers(0, 6))
})

test("a proxy has no limit of its own, but leaves a quarter to strangers", () => {
  expect(closed(crowd("proxy", 20, 0, true))).toEqual([])
  const both = [...crowd("proxy", 30, 0, true), ...crowd("a", 6, 100)]
  expect(closed(both)).toEqual(numbers(0, 12))
  // And strangers leave three quarters to the proxy.
  const crowded = [...crowd("proxy", 18, 0, true), ...crowd("a", 9, 100)]
  expect(closed(crowded)).toEqual(numbers(100, 3))
  // Neither may have more than the other leaves.
  expect(closed([...crowd("proxy", 20, 0, true), ...crowd("a", 4, 100)])).toEqual([])
})

test("without a limit for each peer the total limit holds", () => {
  const bounds = { ...BOUNDS, perPeer: Number.POSITIVE_INFINITY }
  expect(closed(crowd("a", 30, 0), bounds)).toEqual(numbers(0, 6))
  expect(closed([...crowd("a", 30, 0), ...crowd("b", 2, 100)], bounds)).toEqual(numbers(0, 8))
})

test("a request that has just begun stays, and answered idle connections go", () => {
  const resting = crowd("a", 10, 0)
  const coming = crowd("a", 1, 50).map((it) => ({ ...it, isYoung: true }))
  const traffic = (descriptor: number): Traffic =>
    descriptor === 50
      ? { hasRequest: true, isAnswered: false, quietMs: 40 }
      : { hasRequest: true, isAnswered: true, quietMs: 1_000 + descriptor }
  expect(closed([...resting, ...coming], BOUNDS, traffic)).toEqual([9])
  // Not answered in time, it is one that was never answered.
  const old = coming.map((it) => ({ ...it, isYoung: false }))
  expect(closed([...resting, ...old], BOUNDS, traffic)).toEqual([50])
})
