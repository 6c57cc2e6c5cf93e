// What the settings say of refreshes of markets: progress, who may be asked again, and each reason of failure once.
import { expect, test } from "bun:test"
import {
  failuresOf,
  isBusy,
  mayAsk,
  progressText,
  type Refresh
} from "../../src/web/page/settings/refreshes.ts"

const refresh = (exchange: Refresh["exchange"], change: Partial<Refresh> = {}): Refresh => ({
  exchange,
  stage: "done",
  at: 100,
  not_before: null,
  failure: null,
  ...change
})

test("an exchange is asked again neither while it is being asked, nor before its time", () => {
  expect(mayAsk(undefined, 0)).toBe(true)
  expect(mayAsk(refresh("okx"), 0)).toBe(true)
  expect(mayAsk(refresh("okx", { not_before: 700 }), 699.9)).toBe(false)
  expect(mayAsk(refresh("okx", { not_before: 700 }), 700)).toBe(true)
  for (const stage of ["waiting", "running"] as const)
    expect(mayAsk(refresh("okx", { stage, not_before: 700 }), 9_999)).toBe(false)
})

test("the progress names who is asked and who waits, and says nothing once all have ended", () => {
  const all = [
    refresh("okx", { stage: "running" }),
    refresh("kraken", { stage: "waiting" }),
    refresh("bybit", { stage: "waiting" }),
    refresh("binance")
  ]
  expect(progressText(all)).toStartWith("Asking okx; waiting: kraken, bybit. ")
  expect(progressText(all.slice(1))).toStartWith("Waiting: kraken, bybit. ")
  expect(progressText([refresh("okx"), refresh("bybit", { stage: "failed" })])).toBe("")
  expect([isBusy({ is_on: true, data: all }), isBusy({ is_on: true, data: [] }), isBusy(undefined)]).toEqual([
    true,
    false,
    false
  ])
})

test("exchanges that failed for one reason are named together, with when the last did", () => {
  const failed = (name: Refresh["exchange"], why: string | null, at: number) =>
    refresh(name, { stage: "failed", at, failure: why })
  const found = failuresOf([
    failed("okx", "okx is not refreshed: it cannot be reached", 5),
    refresh("binance"),
    failed("kraken", "kraken is not refreshed: it cannot be reached", 7),
    failed("bybit", "markets could not be refreshed", 6),
    failed("bitget", null, 6)
  ])
  expect(found).toEqual([
    { exchanges: ["okx", "kraken"], reason: "it cannot be reached", at: 7 },
    { exchanges: ["bybit"], reason: "markets could not be refreshed", at: 6 },
    { exchanges: ["bitget"], reason: "the reason is not known", at: 6 }
  ])
})
