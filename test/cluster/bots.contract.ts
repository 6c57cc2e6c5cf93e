// What the port `Bots` keeps to, whoever runs the bots. Each case says what came of it as plain data, so that two layers can be
// compared to the last digit.
import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import type { ManualAct, ManualOrder } from "../../src/domain/position/ManualOrder.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { manualForm } from "../../src/http/views/ManualViews.ts"
import { Bots } from "../../src/services/Bots.ts"
import * as ManualForms from "../../src/services/engine/orders/ManualForms.ts"
import type { BotSnapshot } from "../../src/services/engine/prices/BotSnapshots.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Flow from "../lib/flow.ts"
import type { Front } from "./lib/engines.ts"

/** A case: what is done, and what came of it. */
export interface Case {
  readonly name: string
  readonly run: Effect.Effect<unknown, unknown, Front>
}

const strategyOf = ({ account, strategy }: Flow.User) =>
  Effect.flatMap(StrategyStore, (store) => store.get(account, strategy))
const order = (act: ManualAct): ManualOrder => ({ exchange: "binance", pair: Pair.make("BTC/USDT"), act })
const closing = (percent: number) => order({ _tag: "Close", percent })

/** A snapshot with everything that it computes on demand. */
const whole = (snapshot: BotSnapshot) => ({
  ...snapshot,
  holdings: snapshot.holdings.map((holding) => ({ ...holding, levels: holding.levels() })),
  pairPrices: snapshot.pairPrices()
})

const RULES = {
  buy_percentage: 40,
  stop_loss: true,
  stop_loss_percentage: 5,
  sell_minprofitpercent: 3,
  trailing_sell: true,
  trailing_sell_arm: 4,
  trailing_sell_percentage: 2
}

/** Ann, whose bot holds a position. */
const holder = Effect.gen(function* () {
  const ann = yield* Flow.ann(RULES)
  yield* Flow.quote(100)
  yield* Flow.say(ann.identity, ann.signal, "buy")
  return { ann, bots: yield* Bots, strategy: yield* strategyOf(ann) }
})

const terms = {
  account: ExchangeAccountId.make(1),
  capital: Decimal.fromNumber(1000),
  maxOrder: Decimal.fromNumber(100.5),
  maxDailyLoss: Decimal.fromNumber(50),
  protect: true
}

const cases: Array<Case> = []
const add = (name: string, run: () => Effect.Effect<unknown, unknown, Front>) =>
  cases.push({ name, run: Effect.suspend(run) })

add(
  "a change is stored, given to the bot, and refused where the strategy has changed since it was read",
  () =>
    Effect.gen(function* () {
      const { ann, bots, strategy } = yield* holder
      const settings = { ...strategy.settings, stopLoss: { percent: 2.5 } }
      const changes = [{ before: strategy, settings, notes: [] }]
      const [changed] = yield* bots.admit(ann.account, changes)
      expect(changed?.revision).toBe(1)
      const again = yield* Effect.flip(bots.admit(ann.account, changes))
      expect(again._tag).toBe("StrategyChanged")
      yield* Flow.quote(97)
      yield* Flow.caughtUp
      return [changed?.settings, yield* Flow.holds(ann.strategy)]
    })
)

add(
  "new settings that a bot cannot take over as it stands are refused, and none of the batch is stored",
  () =>
    Effect.gen(function* () {
      const { ann, bots, strategy } = yield* holder
      const { settings } = strategy
      const other = { ...settings, name: "another" }
      const refused = yield* Effect.flip(
        bots.admit(ann.account, [
          { settings: other, notes: [] },
          { before: strategy, settings: { ...settings, quote: "BTC" }, notes: [] }
        ])
      )
      expect(refused).toMatchObject({ _tag: "SettingsRefused", index: 1 })
      const all = yield* Effect.flatMap(StrategyStore, (store) => store.list(ann.account, {}))
      expect(all).toHaveLength(1)
      return [refused._tag, refused.message]
    })
)

add("a strategy is ended with its position closed, and another's or a missing one is not found", () =>
  Effect.gen(function* () {
    const { ann, bots } = yield* holder
    const missing = yield* Effect.flip(bots.end(ann.account, 999))
    expect(missing._tag).toBe("StrategyNotFound")
    yield* bots.end(ann.account, ann.strategy)
    const gone = yield* Effect.flip(bots.end(ann.account, ann.strategy))
    expect(gone._tag).toBe("StrategyNotFound")
    return (yield* bots.standings([{ account: ann.account, id: ann.strategy }])).size
  })
)

add("an alert's preview says what each strategy would do, and does nothing", () =>
  Effect.gen(function* () {
    const { ann } = yield* holder
    const previews = yield* Effect.forEach(["buy", "sell"] as const, (type) =>
      Flow.preview(ann.identity, ann.signal, type)
    )
    expect(yield* Flow.holds(ann.strategy)).toHaveLength(1)
    return previews
  })
)

add("standings have every figure, level and price, and leave out strategies without a bot", () =>
  Effect.gen(function* () {
    const { ann, bots } = yield* holder
    yield* Flow.quote(103)
    yield* Flow.caughtUp
    const found = yield* bots.standings(
      [ann.strategy, StrategyId.make(999)].map((id) => ({ account: ann.account, id }))
    )
    expect([...found.keys()]).toEqual([ann.strategy])
    const [snapshot] = found.values()
    if (snapshot === undefined) return yield* Effect.dieMessage("there is no snapshot")
    expect(snapshot.holdings[0]?.levels().length).toBeGreaterThan(1)
    expect(snapshot.pairPrices()[0]?.price).toBe(103)
    return whole(snapshot)
  })
)

add("a flat bot is armed once, on these terms, and disarmed", () =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann(RULES)
    const bots = yield* Bots
    const strategy = yield* strategyOf(ann)
    yield* bots.arm(strategy, terms, [ExchangeAccountId.make(2)])
    const armed = (yield* bots.stand(strategy)).state.live
    expect(armed?.twins).toEqual([ExchangeAccountId.make(2)])
    expect(yield* Effect.flip(bots.arm(strategy, terms))).toMatchObject({
      _tag: "StrategyBusy",
      isLive: true
    })
    yield* bots.disarm(strategy, { close: false, forget: false })
    expect((yield* bots.stand(strategy)).state.live).toBeUndefined()
    return [armed?.capital, armed?.maxOrder, armed?.maxDailyLoss, armed?.protect]
  })
)

add("an order by hand acts once under its key, and the same request gets the same response", () =>
  Effect.gen(function* () {
    const { ann, bots, strategy } = yield* holder
    const once = { key: "k", request: "half" }
    const give = () => bots.byHand(strategy, closing(50), { form: manualForm, once })
    const first = yield* give()
    expect(yield* give()).toEqual(first)
    const other = bots.byHand(strategy, closing(50), { form: manualForm, once: { key: "k", request: "x" } })
    expect((yield* Effect.flip(other))._tag).toBe("KeyReused")
    const { body } = yield* bots.byHand(strategy, closing(100), { form: ManualForms.text })
    const trades = yield* Flow.tradesOf(ann.strategy)
    return [first, body, trades.map(Flow.told)]
  })
)

add("an order by hand that cannot be is refused by its reason, and its violations by field", () =>
  Effect.gen(function* () {
    const { bots, strategy } = yield* holder
    const targets = order({ _tag: "Targets", tp: Option.some(50), sl: Option.some(200) })
    const unfit = yield* Effect.flip(bots.byHand(strategy, targets, { form: ManualForms.text }))
    expect(unfit._tag).toBe("Violations")
    const cancel = yield* Effect.flip(bots.previewByHand(strategy, order({ _tag: "Cancel" })))
    expect(cancel).toMatchObject({ _tag: "ManualRefused", reason: "no_entry" })
    return [unfit.message, cancel.message]
  })
)

add("an order by hand is previewed with its plan, and does nothing", () =>
  Effect.gen(function* () {
    const { ann, bots, strategy } = yield* holder
    const preview = yield* bots.previewByHand(strategy, closing(30))
    expect(preview).toMatchObject({ isPreview: true, outcome: "reduced" })
    expect(yield* Flow.tradesOf(ann.strategy)).toEqual([])
    return preview
  })
)

add("a bot's stand is its whole state, also before its first alert", () =>
  Effect.gen(function* () {
    const { bots, strategy } = yield* holder
    const bob = yield* Flow.user("bob", RULES)
    return [yield* bots.stand(strategy), yield* bots.stand(yield* strategyOf(bob))]
  })
)

export default cases
