// Reads a comparison of the built program, over HTTP and as the command prints it, and checks how it explains the
// difference.
import * as Schema from "effect/Schema"
import { ComparisonView } from "../../../src/api/Backtests.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { PARTS, type Part } from "../../../src/trading/compare/Parts.ts"
import { must, until } from "../prices/until.ts"
import type { Trader } from "./Trader.ts"
import { Compared } from "./Views.ts"

const MINUTE_MS = 60_000
/** When in a minute an alert is sent, so that it comes in that minute. */
const EARLY_MS = 30_000
/** How long a minute is held back before it is recorded, with a margin. */
const HELD_MS = 17_000
const PATIENCE_MS = 90_000
/** How close two sums of money must be that were computed in two ways. */
const NEAR = 1e-8

const sinceMinute = (): number => Date.now() % MINUTE_MS

/** Acts at a price that lasts until the next minute has begun: its candle opens where the order was decided. */
export const within = async (trader: Trader, price: number, act: () => Promise<unknown>): Promise<void> => {
  await trader.moved(price)
  if (sinceMinute() > EARLY_MS) await minuteBegins(trader, price)
  await act()
  await minuteBegins(trader, price)
}

const minuteBegins = async (trader: Trader, price: number): Promise<void> => {
  await Bun.sleep(MINUTE_MS - sinceMinute() + 500)
  trader.move(price)
  await Bun.sleep(500)
}

/** The comparison once the last minute is recorded and the test has so many trades; every way to it must agree. */
export const compared = async (trader: Trader, trades: number): Promise<ComparisonView> => {
  await Bun.sleep(MINUTE_MS - sinceMinute() + HELD_MS)
  let found: ComparisonView | undefined
  const isThere = () =>
    inTurn(async () => {
      found = await viewed(trader)
      return found?.test.trades === trades
    })
  await until(`test of ${trades} trades`, isThere, PATIENCE_MS, 3000).catch((error) => {
    throw new Error(`${error instanceof Error ? error.message : error}: ${JSON.stringify(found?.test)}`)
  })
  if (found === undefined) throw new Error("nothing was compared")
  const command = ["compare", `${trader.strategy}`, "--json"]
  const view = lasting(found)
  for (const args of [command, [...command, "--server", trader.world.server.url("")]]) {
    const printed = lasting(await inTurn(async () => read(await trader.world.said(args))))
    must(Bun.deepEquals(printed, view), `${args.join(" ")} has ${short(printed)}, the page ${short(view)}`)
  }
  return found
}

const read = Schema.decodeUnknownSync(Schema.parseJson(ComparisonView))
const short = (view: unknown): string => JSON.stringify(view).slice(0, 600)

/** All but what goes on with time. */
const lasting = ({ candles: _, to: __, ...rest }: ComparisonView) => rest

/** Undefined while the server compares another strategy of the account. */
const viewed = async ({ owner, strategy, world }: Trader): Promise<ComparisonView | undefined> => {
  const answer = await world.fetch(owner, `/v1/dashboard/strategies/${strategy}/comparison`)
  if (answer.status === 409) return undefined
  const { comparison } = Schema.decodeUnknownSync(Schema.parseJson(Compared))(await answer.text())
  return comparison ?? undefined
}

/** One after the other, because each takes a processor for a while. */
let turn: Promise<unknown> = Promise.resolve()
const inTurn = <A>(act: () => Promise<A>): Promise<A> => {
  const mine = turn.then(act, act)
  turn = mine
  return mine
}

/** Checks that nothing but these parts has an amount in any trade, and that no rest is left. */
export const isOnly = (view: ComparisonView, parts: ReadonlyArray<Part>): void => {
  const others = PARTS.filter((part) => !parts.includes(part))
  for (const part of others)
    must(amountOf(view, part) === 0, `${part} has ${amountOf(view, part)}: ${told(view)}`)
  must(view.remainder === 0, `the rest is ${view.remainder}: ${told(view)}`)
  for (const { alert_id, parts: amounts, remainder } of view.trades)
    must(
      remainder === 0 && others.every((part) => amounts[part] === 0),
      `the trade of alert ${alert_id} has ${JSON.stringify(amounts)} and a rest of ${remainder}`
    )
  const sum = parts.reduce((sum, part) => sum + amountOf(view, part), 0)
  isNear("the sum of the parts", sum, view.difference)
  isNear("the difference", view.difference, view.live.pnl - view.test.pnl)
}

/** The amount of a part, as it is shown. */
const amountOf = ({ parts }: ComparisonView, part: Part): number =>
  parts.find((one) => one.part === part)?.amount ?? Number.NaN

export const isNear = (what: string, amount: number | undefined, wanted: number): void =>
  must(Math.abs((amount ?? Number.NaN) - wanted) < NEAR, `${what} is ${amount}, not ${wanted}`)

const told = (view: ComparisonView): string =>
  [...PARTS.map((part) => `${part} ${amountOf(view, part)}`), `rest ${view.remainder}`].join(", ")

/** The first trade of either side. */
export const firstOf = ({ trades: [first] }: ComparisonView) => {
  if (first === undefined) throw new Error("no trade is compared")
  return first
}

/** The net result of buying and selling at two prices with a fee (percent), in quote. */
export const pnlOf = (quantity: number, [bought, sold]: readonly [number, number], fee: number): number =>
  quantity * (sold * (1 - fee / 100) - bought * (1 + fee / 100))

/** The quantity that the first order was decided for. */
export const decided = ({ orders }: Trader): number =>
  Decimal.toNumber(orders[0]?.order.quantity ?? Decimal.zero)
