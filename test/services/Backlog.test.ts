import { describe, expect, test } from "bun:test"
import { Effect, Option } from "effect"
import * as fc from "effect/FastCheck"
import { AccountId, TokenId } from "../../src/domain/Account.ts"
import { type Alert, AlertId } from "../../src/domain/Alert.ts"
import { Partition, partitionOf } from "../../src/domain/Partition.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { Backlog } from "../../src/services/engine/alerts/Backlog.ts"
import { DEFAULTS } from "../../src/services/engine/EngineLimits.ts"
import { Room } from "../../src/services/engine/Room.ts"
import { settings } from "../../src/testing/Fixtures.ts"

const alert = (id: number): Alert => ({
  id: AlertId.make(id),
  account: AccountId.make(1),
  token: TokenId.make(1),
  signalId: SignalId.make(1),
  coin: "BTC",
  quoteCurrency: "USDT",
  type: "buy",
  tp: Option.none(),
  sl: Option.none(),
  receivedAt: 0,
  repeats: 0,
  warnings: []
})

const strategy = (id: number, account: number) => ({
  id: StrategyId.make(id),
  account: AccountId.make(account),
  settings: settings(),
  createdAt: 0,
  updatedAt: 0,
  revision: 0
})

/** Takes what is next of the lane whose turn it is. */
const next = (backlog: Backlog) => {
  const lane = backlog.turn()
  const task = lane?.peek()
  if (lane === undefined || task === undefined) return undefined
  lane.take(task)
  return `${task.strategy.account}:${task.strategy.id}:${task.alert.id}`
}

const all = (backlog: Backlog) => {
  const taken: Array<string> = []
  for (let task = next(backlog); task !== undefined; task = next(backlog)) taken.push(task)
  return taken
}

describe("in a backlog shared by accounts", () => {
  test("an alert of a quiet account is judged second, however many a busy one has", () => {
    const backlog = new Backlog(0)
    const crowd = Array.from({ length: 1_000 }, (_, id) => strategy(id + 10, 1))
    for (let id = 1; id <= 30; id++) backlog.add(AccountId.make(1), alert(id), crowd)
    backlog.add(AccountId.make(2), alert(31), [strategy(1, 2)])
    expect([next(backlog), next(backlog)]).toEqual(["1:10:1", "2:1:31"])
  })

  test("strategies of one account take turns, each through its alerts in sequence", () => {
    const backlog = new Backlog(0)
    const pair = [strategy(1, 1), strategy(2, 1)]
    for (const id of [1, 2]) backlog.add(AccountId.make(1), alert(id), pair)
    expect(all(backlog)).toEqual(["1:1:1", "1:2:1", "1:1:2", "1:2:2"])
    expect(backlog.isEmpty).toBe(true)
  })
})

test("a backlog rings for an alert that somebody else has read from the journal, until it is heard", async () => {
  const backlog = new Backlog(0)
  const isRinging = () =>
    Effect.runPromise(Effect.map(Effect.timeoutOption(backlog.rings, "20 millis"), Option.isSome))
  expect(await isRinging()).toBe(false)
  backlog.add(AccountId.make(1), alert(1), [strategy(1, 1)])
  expect(await isRinging()).toBe(true)
  expect(backlog.hear()).toBe(true)
  expect(await isRinging()).toBe(false)
})

describe("the cursor of a partition", () => {
  test("stays before the oldest unjudged alert, even if others went ahead", () => {
    const backlog = new Backlog(0)
    const [one, two] = [strategy(1, 1), strategy(2, 257)]
    backlog.add(one.account, alert(5), [one])
    backlog.add(two.account, alert(3), [two])
    backlog.add(two.account, alert(6), [two])
    backlog.front = 9
    expect([...backlog.behind()]).toEqual([[partitionOf(one.account), 2]])
    const lane = backlog.laneOf(two.account)
    const task = lane?.peek(two.id)
    if (task !== undefined) lane?.take(task)
    expect([...backlog.behind()]).toEqual([[partitionOf(one.account), 4]])
    all(backlog)
    expect([...backlog.behind()]).toEqual([])
  })
})

describe("a backlog beyond its limit in memory", () => {
  test("stays in the journal, and is read again in sequence, each alert once", () => {
    const backlog = new Backlog(0)
    const account = AccountId.make(1)
    const crowd = Array.from({ length: DEFAULTS.tasksPerAccount / 10 }, (_, id) => strategy(id + 1, 1))
    const alerts = Array.from({ length: 25 }, (_, id) => alert(id + 1))
    for (const one of alerts) {
      backlog.add(account, one, crowd)
      backlog.front = one.id
    }
    const lane = backlog.laneOf(account)
    expect([lane?.size, lane?.cutAt]).toEqual([DEFAULTS.tasksPerAccount, AlertId.make(11)])
    const seen: Array<number> = []
    for (let turn = backlog.turn(); turn !== undefined; turn = backlog.turn()) {
      if (turn.cutAt !== undefined && turn.isHungry) {
        const from = turn.cutAt
        turn.refill(alerts.filter(({ id }) => id >= from).slice(0, 4), backlog.front, () => crowd)
      }
      for (let task = turn.peek(); task !== undefined; task = turn.peek()) {
        if (task.strategy.id === 1) seen.push(task.alert.id)
        turn.take(task)
        if (turn.size === 0) break
      }
    }
    expect(seen).toEqual(alerts.map(({ id }) => id))
    expect(backlog.isEmpty).toBe(true)
  })
})

test("a strategy is behind exactly while an alert that it follows is not judged, in memory or beyond the cut", () => {
  const account = AccountId.make(1)
  const six = [1, 2, 3, 4, 5, 6]
  const arriving = fc.array(fc.subarray(six), { minLength: 1, maxLength: 30 })
  // 0 lets an alert arrive, 7 judges the task whose turn it is, others go ahead with that strategy's.
  const act = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 7 }))
  const acts = fc.array(act, { minLength: 50, maxLength: 200 })
  let cuts = 0
  fc.assert(
    fc.property(arriving, acts, (followers, acts) => {
      const backlog = new Backlog(0, new Room({ tasks: 1_000, tasksPerAccount: 5 }))
      const of = (id: number) => (followers[id - 1] ?? []).map((one) => strategy(one, 1))
      const left = new Map<number, Set<number>>(six.map((one) => [one, new Set()]))
      const arrive = (id: number) => {
        backlog.add(account, alert(id), of(id))
        backlog.front = id
        for (const one of of(id)) left.get(one.id)?.add(id)
      }
      const refill = () => {
        const lane = backlog.laneOf(account)
        if (lane?.cutAt === undefined || !lane.isHungry) return
        const { cutAt } = lane
        cuts++
        const rest = Array.from({ length: backlog.front - cutAt + 1 }, (_, place) => alert(cutAt + place))
        lane.refill(rest.slice(0, 3), backlog.front, ({ id }) => of(id))
      }
      const judge = (strategy?: StrategyId) => {
        const lane = backlog.laneOf(account)
        const task = lane?.peek(strategy)
        if (lane === undefined || task === undefined) return
        lane.take(task)
        left.get(task.strategy.id)?.delete(task.alert.id)
      }
      for (const act of acts) {
        refill()
        if (act > 0) judge(act === 7 ? undefined : StrategyId.make(act))
        else if (backlog.front < followers.length) arrive(backlog.front + 1)
        const lane = backlog.laneOf(account)
        const behind = six.filter((one) => lane?.isBehind(StrategyId.make(one)) === true)
        expect(behind).toEqual(six.filter((one) => (left.get(one)?.size ?? 0) > 0))
      }
    })
  )
  expect(cuts).toBeGreaterThan(10)
})

test("a lane keeps what it has left in the journal while a read does not find it", () => {
  const backlog = new Backlog(0, new Room({ tasks: 100, tasksPerAccount: 1 }))
  const crowd = [strategy(1, 1)]
  for (const id of [1, 2]) backlog.add(AccountId.make(1), alert(id), crowd)
  backlog.front = 2
  const lane = backlog.laneOf(AccountId.make(1))
  const first = lane?.peek()
  if (lane === undefined || first === undefined) throw new Error("there is no task")
  lane.take(first)
  lane.refill([], backlog.front, () => crowd)
  expect([lane.isDone, lane.isBehind(StrategyId.make(1)), lane.oldest]).toEqual([
    false,
    true,
    AlertId.make(2)
  ])
  lane.refill([alert(2)], backlog.front, () => crowd)
  expect([lane.peek()?.alert.id, lane.cutAt]).toEqual([AlertId.make(2), undefined])
})

describe("many busy accounts together", () => {
  test("get a share each, and a quiet account's alert is read all the same", () => {
    const room = new Room({ tasks: 20, tasksPerAccount: 15 })
    const backlog = new Backlog(0, room)
    const crowds = [1, 2, 3, 4].map((account) =>
      [1, 2, 3, 4, 5].map((id) => strategy(account * 10 + id, account))
    )
    for (let id = 1; id <= 6; id++)
      for (const [place, crowd] of crowds.entries()) backlog.add(AccountId.make(place + 1), alert(id), crowd)
    backlog.add(AccountId.make(5), alert(7), [strategy(99, 5)])
    const sizes = [1, 2, 3, 4, 5].map((account) => backlog.laneOf(AccountId.make(account))?.size)
    expect(sizes).toEqual([5, 5, 5, 5, 1])
    expect([backlog.size, room.lanes]).toEqual([21, 5])
    // What is over its share is not refilled before half of that is judged.
    const lane = backlog.laneOf(AccountId.make(1))
    expect([lane?.cutAt, lane?.isHungry]).toEqual([AlertId.make(2), false])
  })

  test("an alert with more strategies than there is room for does not block its account", () => {
    const backlog = new Backlog(0, new Room({ tasks: 100, tasksPerAccount: 4 }))
    const account = AccountId.make(1)
    const few = [strategy(1, 1)]
    const crowd = [1, 2, 3, 4, 5, 6].map((id) => strategy(id, 1))
    const alerts = [1, 2, 3].map(alert)
    backlog.add(account, alert(1), few)
    backlog.add(account, alert(2), crowd)
    backlog.front = 3
    const lane = backlog.laneOf(account)
    const seen: Array<string> = []
    for (let turn = backlog.turn(); turn !== undefined && seen.length < 20; turn = backlog.turn()) {
      const from = turn.cutAt
      if (from !== undefined && turn.isHungry)
        turn.refill(
          alerts.filter(({ id }) => id >= from),
          backlog.front,
          ({ id }) => (id === 2 ? crowd : few)
        )
      const task = turn.peek()
      if (task === undefined) continue
      seen.push(`${task.strategy.id}:${task.alert.id}`)
      turn.take(task)
    }
    expect(seen.sort()).toEqual(["1:1", "1:2", "1:3", "2:2", "3:2", "4:2", "5:2", "6:2"])
    expect([lane?.size, backlog.isEmpty]).toEqual([0, true])
  })
})

test("every strategy judges each of its alerts once and in sequence, whatever goes ahead", () => {
  const adding = fc.array(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }), { maxLength: 20 })
  const turns = fc.array(fc.option(fc.integer({ min: 1, max: 12 })), { maxLength: 200 })
  fc.assert(
    fc.property(adding, turns, (followed, order) => {
      const backlog = new Backlog(0)
      const due = new Map<number, Array<number>>()
      for (const [at, ids] of followed.entries()) {
        const id = at + 1
        const own = Map.groupBy(
          [...new Set(ids)].sort((a, b) => a - b),
          (one) => one % 3
        )
        for (const [account, some] of own) {
          backlog.add(
            AccountId.make(account + 1),
            alert(id),
            some.map((one) => strategy(one, account + 1))
          )
          for (const one of some) due.set(one, [...(due.get(one) ?? []), id])
        }
        backlog.front = id
      }
      const judged = new Map<number, Array<number>>()
      const note = (one: number, id: number) => judged.set(one, [...(judged.get(one) ?? []), id])
      for (const ahead of order) {
        const lane = ahead === null ? backlog.turn() : backlog.laneOf(AccountId.make((ahead % 3) + 1))
        const task = ahead === null ? lane?.peek() : lane?.peek(StrategyId.make(ahead))
        if (task === undefined) continue
        lane?.take(task)
        note(task.strategy.id, task.alert.id)
      }
      for (const text of all(backlog)) {
        const [, one, id] = text.split(":").map(Number)
        note(one ?? 0, id ?? 0)
      }
      expect(new Map([...judged].sort(([a], [b]) => a - b))).toEqual(
        new Map([...due].sort(([a], [b]) => a - b))
      )
      expect([backlog.isEmpty, backlog.size]).toEqual([true, 0])
    })
  )
})

test("a partition that begins lowers the front for itself alone", () => {
  const [early, late] = [Partition.make(3), Partition.make(4)]
  const backlog = new Backlog(0)
  backlog.begin(new Map([[early, 5]]))
  expect(backlog.front).toBe(5)
  backlog.front = 20
  backlog.begin(new Map([[late, 8]]))
  expect([backlog.front, backlog.frontOf(early), backlog.frontOf(late)]).toEqual([8, 20, 8])
  backlog.end(new Set([early, late]))
  backlog.begin(new Map([[early, 30]]))
  expect([backlog.front, backlog.frontOf(early)]).toEqual([30, 30])
})
