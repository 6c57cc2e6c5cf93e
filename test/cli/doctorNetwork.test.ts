// `doctor` on the network: each reason with what to do about it.
import { expect, test } from "bun:test"
import { Effect } from "effect"
import * as Network from "../../src/cli/doctor/network.ts"

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
  if (level === "warn") expect(check.guide).toBe("/guide/running#prices")
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
