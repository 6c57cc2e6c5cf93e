// Strategies that never trade: said with the reason, and the form's preferred exchange that follows the pairs.
import { describe, expect, test } from "bun:test"
import { BLANK } from "../../src/web/page/strategies/blank.ts"
import { textOf, withExchanges } from "../../src/web/page/strategies/form.ts"
import { type Facts, idle } from "../../src/web/page/strategies/idle.ts"

const sound: Facts = { signal_id: 1, pairs_total: 1, equity: 10_000, open_positions: 0 }

test("a strategy without signal, pair or balance never enters, and each reason is listed", () => {
  const codes = (facts: Partial<Facts>) => idle({ ...sound, ...facts }).map(({ code }) => code)
  expect(codes({})).toEqual([])
  expect(codes({ signal_id: null })).toEqual(["no_signal"])
  expect(codes({ pairs_total: 0 })).toEqual(["no_pair"])
  expect(codes({ equity: 0 })).toEqual(["no_balance"])
  // What is held can be sold again.
  expect(codes({ equity: 0, open_positions: 1 })).toEqual([])
  expect(codes({ signal_id: null, pairs_total: 0, equity: 0 })).toEqual([
    "no_signal",
    "no_pair",
    "no_balance"
  ])
})

describe("the preferred exchange", () => {
  const preferred = (...names: ReadonlyArray<readonly ["binance" | "kraken" | "okx", number]>) =>
    textOf(
      withExchanges(
        BLANK,
        names.map(([exchange_name, pairs]) => ({
          exchange_name,
          coin_pairs: Array.from({ length: pairs }, (_, index) => `A${index}/USDT`)
        }))
      ),
      "default_exchange_name"
    )

  test("stays while it has a pair, or while no exchange has one", () => {
    expect(preferred(["okx", 2], ["binance", 1])).toBe("binance")
    expect(preferred(["okx", 0], ["kraken", 0])).toBe("binance")
    expect(preferred()).toBe("binance")
  })

  test("follows the pairs to an exchange that has some", () => {
    expect(preferred(["binance", 0], ["kraken", 1])).toBe("kraken")
    expect(preferred(["okx", 0], ["kraken", 1])).toBe("kraken")
    expect(preferred(["okx", 3])).toBe("okx")
  })
})
