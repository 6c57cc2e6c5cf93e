// A session against stubs of the exchanges, in this process; where it would have to wait, its clock is set forward.
import { describe, expect, test } from "bun:test"
import { binance } from "../../exchanges/binance.ts"
import { bitget } from "../../exchanges/bitget.ts"
import { bybit } from "../../exchanges/bybit.ts"
import { coinbase } from "../../exchanges/coinbase.ts"
import { kraken } from "../../exchanges/kraken.ts"
import { kucoin } from "../../exchanges/kucoin.ts"
import { okx } from "../../exchanges/okx.ts"
import type { Protocol } from "../../exchanges/Protocol.ts"
import { hiding, Rig, until } from "./Rig.ts"

describe.each([
  [binance, ["BTC/USDT", "BTC/USDT:USDT"]],
  [bybit, ["BTC/USDT", "BTC/USDT:USDT"]],
  [okx, ["BTC/USDT", "BTC/USDT:USDT"]],
  [kraken, ["BTC/USD", "ETH/USD"]],
  [coinbase, ["BTC/USD", "ETH/USD"]],
  [kucoin, ["BTC/USDT", "BTC/USDT:USDT"]],
  [bitget, ["BTC/USDT", "BTC/USDT:USDT"]]
] as const)("%#", (protocol, symbols) => {
  test.concurrent(`${protocol.name}: each frame is one quote, trades are in coins, and the end leaves nothing behind`, async () => {
    await using rig = await Rig.start(protocol, ...symbols)
    rig.want(0, 1)
    for (const number of [0, 1]) await rig.heard(number, 100)
    await until(() => rig.health()?.state === "streaming", "streaming")
    for (const number of [0, 1]) {
      const print = { price: 101.5, amount: 0.25, side: "buy", at: Date.now(), id: `${70 + number}` } as const
      await until(() => {
        rig.stub.print(rig.market(number), print)
        return rig.trades.some((trade) => trade.number === number)
      }, "a trade")
      const trade = rig.trades.find((trade) => trade.number === number)
      expect(trade?.price).toBe(101.5)
      expect(Math.abs((trade?.at ?? 0) - print.at)).toBeLessThanOrEqual(1)
      expect(trade?.amount).toBeCloseTo(0.25, 9)
    }
    await until(() => rig.told.some(({ _tag }) => _tag === "Whole"), "whole")
    rig.quotes.length = 0
    for (const price of [101, 102]) for (const number of [0, 1]) rig.say(number, price)
    await until(() => rig.bids(0).includes(102) && rig.bids(1).includes(102), "the last word")
    await Bun.sleep(30)
    // A word that came twice would confirm itself, were it a wild one.
    for (const number of [0, 1]) expect(rig.bids(number)).toEqual([101, 102])
    for (const { ask, at, bid, last } of rig.quotes) {
      expect(ask).toBe(bid + 1)
      expect(Math.abs(last - bid)).toBeLessThanOrEqual(1.5)
      expect(Math.abs(at - Date.now())).toBeLessThan(2000)
    }
    rig.want()
    rig.session.end()
    rig.told.length = 0
    rig.quotes.length = 0
    await until(() => rig.stub.lines === 0, "all lines closed")
    rig.say(0, 110)
    await Bun.sleep(50)
    expect([rig.told, rig.quotes, rig.stub.lines]).toEqual([[], [], 0])
  })
})

test.concurrent("cut streams are reopened, and the gap is reported", async () => {
  await using rig = await Rig.start(okx, "BTC/USDT")
  const from = rig.now()
  rig.want(0)
  await rig.heard(0, 100)
  await until(() => {
    rig.stub.print(rig.market(0), { price: 1, amount: 1, side: "buy", at: Date.now(), id: "1" })
    return rig.told.some(({ _tag }) => _tag === "Whole")
  }, "whole")
  rig.told.length = 0
  rig.stub.cut()
  const at = rig.now()
  await rig.heard(0, 101)
  expect(rig.health()).toMatchObject({ exchange: "okx", reconnects: 1 })
  const broken = rig.told.find((told) => told._tag === "Broken")
  expect(broken?.numbers).toEqual([0])
  // When something was heard last: not before it was wanted, and not after the cut.
  expect(broken?.since).toBeGreaterThanOrEqual(from)
  expect(broken?.since).toBeLessThanOrEqual(at)
  expect(rig.stub.connections).toBe(2)
})

test.concurrent("an unreachable exchange is reported in our words, and followed once it is reachable", async () => {
  await using rig = await Rig.start(okx, "BTC/USDT")
  await rig.stub.down()
  rig.want(0)
  await until(() => rig.health()?.state === "unreachable", "unreachable")
  expect(rig.health()).toMatchObject({ exchange: "okx", reason: "it cannot be reached", reconnects: 0 })
  await rig.stub.up()
  rig.set(30_000)
  await rig.heard(0, 100)
  await until(() => rig.health()?.state === "streaming", "streaming")
})

test.concurrent("an exchange that limits orders is not asked for prices either until the pause ends", async () => {
  await using rig = await Rig.start(okx, "BTC/USDT")
  rig.pauses.pause("okx", rig.now() + 20_000)
  rig.want(0)
  await until(() => rig.health()?.reason === "it limits our requests", "limited")
  await Bun.sleep(100)
  expect(rig.stub.requests).toEqual([])
  rig.set(30_000)
  await rig.heard(0, 100)
})

test.concurrent("an unlisted market does not affect the others, and is followed once it is listed", async () => {
  let isHidden = true
  await using rig = await Rig.start(
    hiding(okx, ({ pair }) => isHidden && pair === "ETH/USDT"),
    "BTC/USDT",
    "ETH/USDT"
  )
  rig.want(0, 1)
  await rig.heard(0, 100)
  rig.set(5000)
  rig.stub.faults.silent = true
  rig.say(0, 101)
  await until(() => rig.bids(0).includes(101), "an answer")
  rig.stub.faults.silent = false
  expect(rig.bids(1)).toEqual([])
  isHidden = false
  rig.set(60_000)
  await rig.heard(1, 10)
  expect(rig.stub.subscriptions("tickers").get("ETH/USDT:spot")).toBe(1)
})

test.concurrent("silent streams are polled beside, and reopened once polls contradict them", async () => {
  await using rig = await Rig.start(binance, "BTC/USDT")
  rig.want(0)
  await rig.heard(0, 100)
  const opened = rig.stub.connections
  rig.stub.faults.silent = true
  for (const price of [101, 102, 103]) {
    rig.say(0, price)
    rig.set(4000)
    await until(() => rig.bids(0).includes(price), `an answer of ${price}`)
  }
  await until(() => rig.stub.connections > opened, "streams opened anew")
  expect(rig.health()).toMatchObject({ reconnects: 1 })
  rig.stub.faults.silent = false
  await rig.heard(0, 104)
  await until(() => rig.health()?.state === "streaming", "streaming")
})

test.concurrent("a stream of last prices does not make a dead one beside it look alive", async () => {
  let isDead = false
  const halfDead: Protocol = {
    ...binance,
    quoted: (market, quote, line, at) =>
      binance.quoted(market, quote, line, at).filter((frame) => !isDead || frame.includes("24hrTicker"))
  }
  await using rig = await Rig.start(halfDead, "BTC/USDT")
  rig.want(0)
  await rig.heard(0, 100)
  isDead = true
  rig.quotes.length = 0
  for (const price of [150, 151, 152]) rig.say(0, price)
  await Bun.sleep(50)
  // An answer may come at any time, and tells the newest; these only a stream could tell.
  expect(rig.bids(0).filter((bid) => bid === 150 || bid === 151)).toEqual([])
  rig.set(4000)
  await until(() => rig.bids(0).includes(152), "an answer")
})

test.concurrent("streams of markets that are no longer wanted are closed after a while, and the others go on", async () => {
  await using rig = await Rig.start(okx, "BTC/USDT", "ETH/USDT")
  rig.want(0, 1)
  for (const number of [0, 1]) await rig.heard(number, 100)
  rig.want(0)
  await rig.heard(0, 101)
  expect(rig.stub.connections).toBe(1)
  rig.set(31_000)
  await until(() => !rig.stub.subscriptions().has("ETH/USDT:spot"), "ETH given up")
  await rig.heard(0, 102)
  rig.quotes.length = 0
  for (const price of [103, 104]) rig.say(0, price)
  await until(() => rig.bids(0).includes(104), "the last word")
  // An answer may tell the newest once more.
  expect([...new Set(rig.bids(0).filter((bid) => bid > 102))]).toEqual([103, 104])
  expect(rig.stub.lines).toBe(1)
  // Once, and not once more because the old ones ended.
  expect(rig.stub.connections).toBe(2)
})

test.concurrent("a market that is wanted again while its stream is open is delivered and recorded again", async () => {
  await using rig = await Rig.start(okx, "BTC/USDT", "ETH/USDT")
  rig.want(0, 1)
  for (const number of [0, 1]) await rig.heard(number, 100)
  await until(() => {
    rig.stub.print(rig.market(1), { price: 1, amount: 1, side: "buy", at: Date.now(), id: "1" })
    return rig.told.some(({ _tag }) => _tag === "Whole")
  }, "whole")
  rig.told.length = 0
  rig.want(0)
  expect(rig.told).toMatchObject([{ _tag: "Broken", numbers: [1] }])
  rig.want(0, 1)
  expect(rig.told).toMatchObject([{ _tag: "Broken" }, { _tag: "Whole", numbers: [1] }])
  await rig.heard(1, 101)
  expect(rig.stub.connections).toBe(1)
})

test.concurrent("a clock that is set back delays nothing", async () => {
  await using rig = await Rig.start(okx, "BTC/USDT")
  rig.want(0)
  await rig.heard(0, 100)
  rig.stub.faults.refuse = true
  rig.stub.cut()
  await until(() => rig.told.some(({ _tag }) => _tag === "Broken"), "the end of the stream")
  rig.set(-3_600_000)
  rig.stub.faults.refuse = false
  await rig.heard(0, 101)
  expect(Math.abs((rig.quotes.at(-1)?.at ?? 0) - rig.now())).toBeLessThan(1000)
})

test.concurrent("an answer older than a streamed price is ignored", async () => {
  let answered: () => void = () => undefined
  const late: Protocol = {
    ...okx,
    rest: (request, board) => {
      const answer = okx.rest(request, board)
      if (request.path.includes("ticker")) answered()
      return answer
    }
  }
  await using rig = await Rig.start(late, "BTC/USDT")
  rig.want(0)
  await rig.heard(0, 100)
  const isAnswered = new Promise<void>((resolve) => {
    answered = () => {
      rig.set(5)
      rig.say(0, 101)
      resolve()
    }
  })
  // The first answer of all may be on its way yet.
  const later = setInterval(() => rig.set(4000), 300)
  await isAnswered
  clearInterval(later)
  await until(() => rig.bids(0).includes(101), "the stream")
  await Bun.sleep(100)
  expect(rig.bids(0).at(-1)).toBe(101)
})

test.concurrent("a stream whose address comes after the end is not opened", async () => {
  let asked: () => void = () => undefined
  const slow: Protocol = {
    ...kucoin,
    rest: (request, board) => {
      if (request.path.includes("bullet")) asked()
      return kucoin.rest(request, board)
    }
  }
  await using rig = await Rig.start(slow, "BTC/USDT")
  const question = new Promise<void>((resolve) => {
    asked = () => {
      rig.session.end()
      resolve()
    }
  })
  rig.want(0)
  await question
  await Bun.sleep(100)
  expect([rig.stub.lines, rig.stub.connections]).toEqual([0, 0])
})
