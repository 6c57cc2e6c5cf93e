import * as Layer from "effect/Layer"
import { STARTING_BALANCES } from "./domain/Bot.ts"
import { MAX_PAIRS } from "./domain/Strategy.ts"
import { Accounts } from "./services/Accounts.ts"
import { Alerts } from "./services/Alerts.ts"
import { Backtester } from "./services/Backtester.ts"
import { Bots } from "./services/Bots.ts"
import { Events } from "./services/Events.ts"
import { Exchange } from "./services/Exchange.ts"
import type { Options as BotOptions } from "./services/engine/Desk.ts"
import { Idempotency } from "./services/Idempotency.ts"
import { Journal } from "./services/Journal.ts"
import { Markets } from "./services/Markets.ts"
import { MemoryState } from "./services/MemoryState.ts"
import { Performance } from "./services/Performance.ts"
import { Portfolio } from "./services/Portfolio.ts"
import * as PriceFeed from "./services/PriceFeed.ts"
import { RateLimits, type Rates } from "./services/RateLimits.ts"
import { Sessions } from "./services/Sessions.ts"
import { Signals } from "./services/Signals.ts"
import { Strategies } from "./services/Strategies.ts"
import { StrategyStore } from "./services/StrategyStore.ts"
import { Targets } from "./services/Targets.ts"
import { Timeline } from "./services/Timeline.ts"
import { Tokens } from "./services/Tokens.ts"
import { Validation } from "./services/Validation.ts"
import { DEFAULT_PATIENCE } from "./trading/Routing.ts"

/** What may be set of a server in memory; what is left out is as in the real one. */
export interface Options extends Partial<BotOptions> {
  readonly maxPairs?: number
  readonly rates?: Rates
}

/** Every port in memory, agreeing with each other. */
export const ports = Layer.mergeAll(
  Sessions.layerMemory.pipe(Layer.provideMerge(Accounts.layerMemory)),
  Signals.layerMemory,
  StrategyStore.layerMemory,
  Markets.layerMemory,
  Timeline.layerMemory,
  Idempotency.layerMemory,
  Portfolio.layerMemory,
  Targets.layerMemory,
  Events.layerMemory.pipe(Layer.provideMerge(Journal.layerMemory))
).pipe(Layer.provideMerge(MemoryState.layer))

/**
 * The whole server but its listener, in memory: signals, strategies, alerts and paper bots on prices that you publish
 * through `PriceFeed`. Runs on Bun, on Node and in browsers, and under a test clock.
 */
export const layer = (options: Options = {}) => {
  const paper = options.paper ?? STARTING_BALANCES
  return Layer.mergeAll(
    Strategies.layer({ maxPairs: options.maxPairs ?? MAX_PAIRS, paper }),
    Alerts.layer,
    Tokens.layer,
    Backtester.layerMemory
  ).pipe(
    Layer.provideMerge(Bots.layer({ paper, patience: options.patience ?? DEFAULT_PATIENCE })),
    Layer.provideMerge(
      Layer.mergeAll(
        Validation.layer,
        Performance.layer,
        Exchange.layerPaper,
        RateLimits.layerMemory(options.rates ?? { crud: 2, alert: 30 }),
        PriceFeed.layer("published by hand")
      )
    ),
    Layer.provideMerge(ports)
  )
}
