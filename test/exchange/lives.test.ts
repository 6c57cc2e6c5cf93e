// Orders through all that goes wrong: a few of their lives here, thousands by `bun test/exchange/lives.ts NAME SEED
// COUNT`.
import { expect, test } from "bun:test"
import { EXCHANGE_NAMES } from "../../src/domain/Market.ts"
import { lives } from "./lives.ts"

const COUNT = Number(Bun.env["ORDER_LIVES"] ?? 60)
const SEED = Number(Bun.env["ORDER_SEED"] ?? 7)

for (const name of EXCHANGE_NAMES)
  test.concurrent(
    `${COUNT} lives of orders at ${name} leave no order twice, none behind, and no fill unreported`,
    async () => {
      const { differing, doubles, ends, orphans, words } = await lives(name, SEED, COUNT)
      expect(words).toEqual([])
      expect({ doubles, orphans, differing }).toEqual({ doubles: 0, orphans: 0, differing: 0 })
      expect(ends["Filled"] ?? 0).toBeGreaterThan(COUNT / 3)
    },
    COUNT * 2000 + 20_000
  )
