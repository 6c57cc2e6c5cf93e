// An embedder's own figures: functions of the tally, and folds over the trades.
import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { join } from "node:path"
import { Effect, Layer, Logger, Schema } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Memory from "../../src/Memory.ts"
import { Performance } from "../../src/services/Performance.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { fold, MAX_STATE_CHARACTERS } from "../../src/trading/FoldingFigure.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { folder } from "./ports.ts"

/** The longest row of losing trades, and how often the fold was stepped. */
const streak = (version = 1) => {
  const steps = { count: 0 }
  const figure = fold({
    version,
    state: Schema.Struct({ now: Schema.Int, longest: Schema.Int }),
    initial: { now: 0, longest: 0 },
    step: ({ longest, now }, { pnl }) => {
      steps.count++
      const losses = Decimal.isPositive(pnl) ? 0 : now + 1
      return { now: losses, longest: Math.max(longest, losses) }
    },
    value: ({ longest }) => longest
  })
  return { figure, steps }
}

/** A trade of Ann's strategy at these prices. */
const traded = (ann: Flow.User, entry: number, exit: number) =>
  Effect.gen(function* () {
    yield* Flow.quote(entry)
    yield* Flow.say(ann.identity, ann.signal, "buy")
    yield* Flow.quote(exit)
    yield* Flow.say(ann.identity, ann.signal, "sell")
  })

const shown = (ann: Flow.User) =>
  Effect.flatMap(Strategies, (strategies) =>
    Effect.map(strategies.get(ann.account, ann.strategy), ({ performance }) => performance)
  )
const extra = (ann: Flow.User) => Effect.map(shown(ann), (performance) => performance.extra)

/** Keeps what is logged. */
const logging = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ cause, message }) => void lines.push(`${message} ${cause}`))
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
}

describe("own figures", () => {
  it.effect("are shown as performance.extra, and are absent where an app has none", () =>
    Effect.gen(function* () {
      const { figure } = streak()
      const own = Performance.with({ streak: figure, count: ({ count }) => count })
      yield* Effect.gen(function* () {
        const ann = yield* Flow.ann()
        expect(yield* extra(ann)).toEqual({ streak: 0, count: 0 })
        for (const exit of [90, 80, 200, 90]) yield* traded(ann, 100, exit)
        expect(yield* extra(ann)).toEqual({ streak: 2, count: 4 })
        expect((yield* shown(ann)).summary.trade_count).toBe(4)
      }).pipe(Effect.provide(Memory.layerWith(own)))
      const plain = Effect.flatMap(Flow.ann(), shown).pipe(Effect.provide(Memory.layer()))
      expect(Object.keys(yield* plain)).toEqual(["summary"])
    })
  )

  it.effect("are kept up with each trade, and reading them steps nothing", () =>
    Effect.gen(function* () {
      const { figure, steps } = streak()
      yield* Effect.gen(function* () {
        const ann = yield* Flow.ann()
        for (const exit of [90, 80]) yield* traded(ann, 100, exit)
        expect(steps.count).toBe(2)
        for (let read = 0; read < 5; read++) yield* shown(ann)
        expect(steps.count).toBe(2)
      }).pipe(Effect.provide(Memory.layerWith(Performance.with({ streak: figure }))))
    })
  )

  it.effect(
    "that are not finite, or throw, are null; the others and the trading go on, and it is logged once",
    () =>
      Effect.gen(function* () {
        const { layer, lines } = logging()
        const broken = (at: "initial" | "step" | "value") =>
          fold({
            version: 1,
            state: Schema.Struct({ text: Schema.String }),
            initial: { text: at === "initial" ? "x".repeat(MAX_STATE_CHARACTERS) : "" },
            step: (state) => {
              if (at === "step") throw new Error("planted in a step")
              return state
            },
            value: () => {
              if (at === "value") throw new Error("planted in a value")
              return Number.NaN
            }
          })
        const own = Performance.with({
          good: ({ count }) => count,
          nan: () => Number.NaN,
          infinite: ({ count }) => count / 0,
          none: () => null,
          throws: () => {
            throw new Error("planted in a figure")
          },
          step: broken("step"),
          value: broken("value"),
          initial: broken("initial")
        })
        yield* Effect.gen(function* () {
          const ann = yield* Flow.ann()
          for (const exit of [90, 110]) yield* traded(ann, 100, exit)
          const nothing = { nan: null, infinite: null, none: null, throws: null }
          const failed = { step: null, value: null, initial: null }
          expect(yield* extra(ann)).toEqual({ good: 2, ...nothing, ...failed })
          expect(yield* Flow.tradesOf(ann.strategy)).toHaveLength(2)
        }).pipe(Effect.provide(Layer.provide(Memory.layerWith(own), layer)))
        const named = lines.map((line) => /the own figure (\w+) failed/.exec(line)?.[1])
        expect(named.filter((name) => name !== undefined).sort()).toEqual([
          "initial",
          "step",
          "throws",
          "value"
        ])
        expect(lines.join()).toContain("planted in a step")
      })
  )

  it.effect("are of the present period: another quote currency begins them anew", () =>
    Effect.gen(function* () {
      const { figure } = streak()
      yield* Effect.gen(function* () {
        const ann = yield* Flow.ann()
        yield* traded(ann, 100, 90)
        expect(yield* extra(ann)).toEqual({ streak: 1 })
        const pairs = [{ exchange_name: "binance", coin_pairs: ["ETH/BTC"] }] as const
        yield* Flow.update(ann.account, ann.strategy, { default_quote_currency: "BTC", exchanges: pairs })
        expect(yield* extra(ann)).toEqual({ streak: 0 })
      }).pipe(Effect.provide(Memory.layerWith(Performance.with({ streak: figure }))))
    })
  )
})

describe("on disk, the state of a figure", () => {
  const file = Effect.map(folder, (path) => join(path, "signalbox.db"))

  /** One run of the server with these figures. */
  const run = <A, E>(
    db: string,
    performance: Layer.Layer<Performance>,
    act: Effect.Effect<A, E, Disk.World>
  ) => Disk.run(db, act, { performance })

  it.effect("outlives a restart without being folded again", () =>
    Effect.gen(function* () {
      const db = yield* file
      const [first, second] = [streak(), streak()]
      const ann = yield* run(
        db,
        Performance.with({ streak: first.figure }),
        Effect.tap(Flow.ann(), (ann) => traded(ann, 100, 90))
      )
      yield* run(
        db,
        Performance.with({ streak: second.figure }),
        Effect.gen(function* () {
          expect(yield* extra(ann)).toEqual({ streak: 1 })
          expect(second.steps.count).toBe(0)
          yield* traded(ann, 100, 90)
          expect(yield* extra(ann)).toEqual({ streak: 2 })
          expect(second.steps.count).toBe(1)
        })
      )
    })
  )

  it.effect("is folded from all trades where the figure is new, has another version, or missed a trade", () =>
    Effect.gen(function* () {
      const db = yield* file
      const ann = yield* run(
        db,
        Performance.layer,
        Effect.tap(Flow.ann(), (ann) => Effect.zip(traded(ann, 100, 90), traded(ann, 100, 90)))
      )
      const started = (version: number, expected: number, trades: number) =>
        Effect.gen(function* () {
          const { figure, steps } = streak(version)
          yield* run(
            db,
            Performance.with({ streak: figure }),
            Effect.map(extra(ann), (found) => {
              expect(found).toEqual({ streak: expected })
              expect(steps.count).toBe(trades)
            })
          )
        })
      yield* started(1, 2, 2)
      yield* started(1, 2, 0)
      yield* started(2, 2, 2)
      yield* run(db, Performance.layer, traded(ann, 100, 90))
      yield* started(2, 3, 3)
      yield* started(2, 3, 0)
    })
  )

  it.effect("that failed at a trade is folded again at the next start", () =>
    Effect.gen(function* () {
      const db = yield* file
      const { layer } = logging()
      const failing = fold({
        version: 1,
        state: Schema.Int,
        initial: 0,
        step: () => {
          throw new Error("planted")
        },
        value: (count) => count
      })
      const repaired = fold({
        version: 1,
        state: Schema.Int,
        initial: 0,
        step: (count) => count + 1,
        value: (count) => count
      })
      const ann = yield* run(
        db,
        Layer.provide(Performance.with({ count: failing }), layer),
        Effect.tap(Flow.ann(), (ann) => traded(ann, 100, 90))
      )
      yield* run(
        db,
        Performance.with({ count: repaired }),
        Effect.map(extra(ann), (found) => expect(found).toEqual({ count: 1 }))
      )
    })
  )

  it.effect(
    "has no value where a stored trade cannot be read, and stops neither the start nor the bots",
    () =>
      Effect.gen(function* () {
        const db = yield* file
        const ann = yield* run(
          db,
          Performance.layer,
          Effect.tap(Flow.ann(), (ann) => traded(ann, 100, 90))
        )
        const database = new Database(db)
        database.run("UPDATE trades SET trade = '{}'")
        database.close()
        const { layer, lines } = logging()
        yield* run(
          db,
          Performance.with({ streak: streak().figure }),
          Effect.gen(function* () {
            expect(yield* extra(ann)).toEqual({ streak: null })
            yield* Flow.quote(100)
            const alert = yield* Flow.say(ann.identity, ann.signal, "buy")
            expect(yield* Flow.became(ann.account, alert)).toEqual(["opened"])
          })
        ).pipe(Effect.provide(layer))
        const planted = `own figures of strategy ${ann.strategy} could not be rebuilt`
        expect(lines.filter((line) => line.startsWith(planted))).toHaveLength(1)
      })
  )
})
