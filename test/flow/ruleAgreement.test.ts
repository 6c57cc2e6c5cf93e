// The templates of rules at an exchange that is mean: what a server raises live, what a replay of the exchange's candles
// raises, and what a back-test raises over them, alert by alert.
import { expect, test } from "bun:test"
import { Effect, Layer, Logger, LogLevel, Option } from "effect"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import { millisOf, type Timeframe } from "../../src/domain/candles/Timeframe.ts"
import { Pair } from "../../src/domain/Market.ts"
import type { RuleDocument } from "../../src/domain/signalRule/RuleDocument.ts"
import { RULE_TEMPLATES } from "../../src/domain/signalRule/RuleTemplates.ts"
import * as Memory from "../../src/Memory.ts"
import * as LiveCandles from "../../src/prices/closed/LiveCandles.ts"
import { ClosedCandles } from "../../src/services/rules/ClosedCandles.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { rule as aRule } from "../../src/testing/Fixtures.ts"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import { ENDLESS_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { MeanMarket, walk } from "../lib/meanMarket.ts"
import { raisedBy, replayed, withRules } from "../lib/replayedRules.ts"
import { sender } from "../services/ports.ts"
import { runOf, seriesOf } from "../trading/ruleWorld.ts"

const MINUTE = 60_000
/** A Sunday evening: the weekly template buys on Monday morning. */
const MADE = Date.UTC(2024, 2, 3, 18)
/** Candles before the rules are made, for their indicators. */
const BEFORE = 160
/** Minutes in which nothing goes wrong any more. */
const CALM = 30

/** Lengths that a test has the time for; what a template says stays. */
const SHORTER: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  crossing: { fast: 2, slow: 4 },
  dip: { length: 3, low_level: 40, high_level: 60, trend: 10 },
  breakout: { entry: 4, exit: 3 },
  supertrend: { factor: 1, length: 3 },
  bollinger: { length: 6, width: 1 },
  weekly: { length: 3, low_level: 40 }
}

const rulesOf = (timeframe: RuleDocument["timeframe"]): ReadonlyArray<RuleDocument> =>
  RULE_TEMPLATES.map(({ name, rule }) =>
    aRule({
      ...rule,
      timeframe,
      params: SHORTER[name] ?? {},
      on: rule.on.map((entry) =>
        typeof entry.sl === "string" ? { ...entry, sl: entry.sl.replace("atr(14)", "atr(4)") } : entry
      )
    })
  )

const BTC = { exchange: "binance", kind: "spot", pair: Pair.make("BTC/USDT") } as const

interface Life {
  readonly timeframe: Timeframe
  readonly minutes: number
  readonly dice: SeededRandom
}

/** A server that runs live for so many minutes, and the exchange that it hears. */
const lived = (rules: ReadonlyArray<RuleDocument>, columns: Columns, { dice, minutes, timeframe }: Life) =>
  Effect.gen(function* () {
    const live = yield* LiveCandles.make
    const exchange = new MeanMarket(BTC, columns, { dice, live, timeframe })
    const server = Memory.layer({ patience: ENDLESS_PATIENCE }).pipe(
      Layer.provide(Layer.succeed(ClosedCandles, Option.some(live.source)))
    )
    const raised = yield* VirtualClock.on(
      Effect.gen(function* () {
        yield* exchange.open
        const { account } = yield* sender("ann")
        const signals = yield* withRules(account, rules)
        yield* (yield* RuleDesk).sync
        for (let minute = 0; minute < minutes; minute++) yield* exchange.minute(minute >= minutes - CALM)
        yield* VirtualClock.pass("40 seconds")
        return yield* raisedBy(account, signals)
      }),
      server
    )
    return { exchange, figures: live.figures, raised }
  })

type Raised = Effect.Effect.Success<ReturnType<typeof lived>>["raised"][number]

/** An alert as all three have it. Its figures are the same but for where their indicators began. */
interface Line {
  readonly name: string
  readonly values: ReadonlyArray<number | null>
  readonly sl: number | null
}

const near = (value: number | null | undefined) => (value == null ? null : Number(value.toPrecision(7)))

const linesOf = (raised: Raised): ReadonlyArray<Line> =>
  raised.map(({ alert: { receivedAt, sl, type }, origin: { by, values } }) => ({
    name: `${type} of ${by} at ${receivedAt}`,
    values: values.map(({ value }) => near(value)),
    sl: near(Option.getOrUndefined(sl))
  }))

/** What a back-test over all candles raises from the time on at which the rules are made. */
const tested = (rule: RuleDocument, columns: Columns, end: number): ReadonlyArray<Line> =>
  runOf(rule, seriesOf(columns)).raised.flatMap(({ alert, at, by, type, values }) =>
    alert === undefined || at < MADE || at >= end
      ? []
      : [
          {
            name: `${type} of ${by} at ${at}`,
            values: values.map(({ value }) => near(value)),
            sl: near(alert.sl)
          }
        ]
  )

const SEEDS = process.env["SIGNALBOX_FLOWS"] === "all" ? [4, 11, 12, 13, 14, 15, 16, 17, 18, 19] : [4]

for (const [timeframe, candles] of [
  ["1m", 500],
  ["5m", 220],
  ["1h", 60]
] as const)
  test(`live, replay and back-test agree on candles of ${timeframe}, alert by alert, whatever the exchange does`, async () => {
    const span = millisOf(timeframe)
    const rules = rulesOf(timeframe)
    const end = MADE + candles * span
    const within = (raised: Raised | undefined) =>
      (raised ?? []).filter(({ alert: { receivedAt } }) => receivedAt >= MADE && receivedAt < end)
    for (const seed of SEEDS) {
      const dice = new SeededRandom(seed)
      const columns = walk(dice, MADE - BEFORE * span, (BEFORE + candles) * (span / MINUTE))
      const { exchange, figures, raised } = await VirtualClock.run(
        lived(rules, columns, { timeframe, dice, minutes: (candles * span) / MINUTE }).pipe(
          Logger.withMinimumLogLevel(LogLevel.None)
        ),
        { startsAt: MADE - 20_000 }
      )
      const played = await Effect.runPromise(replayed(columns, rules))
      expect([figures.differed > 0, figures.corrected > 0]).toEqual([true, true])
      for (const [index, rule] of rules.entries()) {
        const expected = tested(rule, columns, end)
        const about = `seed ${seed}, ${RULE_TEMPLATES[index]?.name}`
        expect([about, expected.length > 1]).toEqual([about, true])
        expect([about, linesOf(within(played[index]))]).toEqual([about, expected])
        const live = within(raised[index])
        const names = new Set(linesOf(live).map(({ name }) => name))
        expect([about, names.size]).toEqual([about, live.length])
        // Where a rule had to decide before the exchange's own candle was there, its alert stands.
        const sure = live.filter(({ origin: { at } }) => !exchange.isDisputed(at))
        const surely = expected.filter(({ name }) => !exchange.isDisputed(Number(name.split(" at ")[1])))
        expect([about, linesOf(sure)]).toEqual([about, surely])
      }
    }
  }, 120_000)
