// `doctor` on the network and on bots that buy nothing: each reason with what to do about it.
import { expect, test } from "bun:test"
import { Effect } from "effect"
import * as Network from "../../src/cli/doctor/network.ts"
import { trading } from "../../src/cli/doctor/trading.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import type { Tradeable } from "../../src/sqlite/readers/Tradeable.ts"

const NOW = Date.UTC(2026, 10, 21)
const answer = (status: number, skewMs = 0): Network.Answer => ({ status, date: NOW + skewMs, at: NOW })

test.each([
  [answer(200), "", "ok", "binance answers, and its clock agrees"],
  [answer(302), "", "ok", "binance answers"],
  [{ status: 200, date: Number.NaN, at: NOW } as const, "", "ok", "binance answers"],
  [answer(451), "", "warn", "refuses this machine (451): most often by its country"],
  [answer(403), "", "warn", "refuses this machine (403)"],
  [answer(418), "", "warn", "it limits this address"],
  [answer(503), "", "warn", "out of order"],
  [answer(200, 600_000), "", "warn", "600 seconds ahead of this machine's"],
  [answer(200, -600_000), "", "warn", "600 seconds behind this machine's"],
  [{ code: "timeout" }, "", "warn", "no answer within 5 seconds"],
  [{ code: "ENOTFOUND" }, "", "warn", "its name is not resolved (DNS)"],
  [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "", "warn", "its certificate is not trusted"],
  [
    { code: "ConnectionRefused" },
    "http://proxy:3128",
    "warn",
    "through the proxy: the connection is refused"
  ],
  [{ code: "" }, "", "warn", "there is no connection"]
] as const)("an exchange that answers %j is rated with its reason", (found, proxy, level, text) => {
  const check = Network.exchange("binance", found, proxy)
  expect([check.level, check.text]).toEqual([level, expect.stringContaining(text)])
  if (level === "warn") expect(check.advice).toContain("/guide/running")
})

test("a server that never answers is given up, and one that is there is found by its address", async () => {
  const hanging = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) })
  const there = Bun.serve({ port: 0, fetch: () => new Response(null, { status: 200 }) })
  const other = Bun.serve({ port: 0, fetch: () => new Response(null, { status: 404 }) })
  const levelAt = async (url: string) =>
    Network.webhooks(url, await Effect.runPromise(Network.ask(`${url}healthz`))).text
  try {
    const texts = await Promise.all([hanging, there, other].map(({ url }) => levelAt(String(url))))
    expect(texts[0]).toContain("cannot be reached from here: no answer within 5 seconds")
    expect(texts[1]).toContain("leads to the server")
    expect(texts[2]).toContain("answers with 404, not as the server does")
  } finally {
    for (const server of [hanging, there, other]) await server.stop(true)
  }
}, 20_000)

const able: Tradeable = {
  ...{ id: StrategyId.make(1), name: "Swing\u001b[2J", account: "ann", active: true, buyPercent: 10 },
  ...{ signalId: 1, signalActive: true, halted: false, setAside: false, hasCash: true, coolsUntil: 0 },
  exchanges: ["binance"]
}
const texts = (...strategies: ReadonlyArray<Tradeable>) =>
  trading(strategies, NOW, (words) => words).map(({ level, text }) => `${level} ${text}`)

test.each([
  [{ signalId: null }, "it follows no signal"],
  [{ signalActive: false }, "its signal is switched off"],
  [{ setAside: true }, "it is set aside"],
  [{ halted: true }, "entries of ann are halted"],
  [{ buyPercent: 0 }, "its buy_percentage is 0"],
  [{ hasCash: false }, "it has no money left"],
  [{ coolsUntil: NOW + 1 }, "it cools down"]
] as const)("a strategy with %j buys nothing, and the reason is given", (changes, text) => {
  const [found] = texts({ ...able, ...changes })
  expect(found).toContain(`warn strategy 1, Swing [2J, buys nothing: ${text}`)
})

test("bots that would buy are counted, and strategies that are all off are a warning", () => {
  expect(texts()).toEqual([])
  expect(texts({ ...able, active: false })).toEqual(["warn no strategy is active: none buys anything"])
  expect(texts(able, { ...able, coolsUntil: NOW })[0]).toContain("ok 2 of 2 active strategies would buy")
  expect(texts(...Array.from({ length: 30 }, () => ({ ...able, signalId: null })))).toHaveLength(21)
})
