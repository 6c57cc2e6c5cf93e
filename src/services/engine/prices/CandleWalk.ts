// Candles to bots: the candles of one moment are walked through each bot that they concern, in the sequence in which
// its strategy lists the pairs, as a back-test does.
import type * as Arr from "effect/Array"
import type { MarketId, Pair } from "../../../domain/Market.ts"
import { ofLast, type Ticker } from "../../../domain/Ticker.ts"
import * as Walk from "../../../trading/backtest/Walk.ts"
import type { BotAlert, Context } from "../../../trading/Decision.ts"
import type { Catalogue } from "../../Markets.ts"
import { pairText } from "../alerts/HeldAlerts.ts"
import { seenByBot } from "../alerts/Judge.ts"
import { contextOf } from "../decide/Context.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry } from "../Roster.ts"
import type { Bar, CandleWindows } from "./CandleWindows.ts"
import { pairKey } from "./LastPrices.ts"

/** A bot's walk: the candles ahead, and the last prices of the pairs behind it. */
interface Round {
  readonly bars: Array<Bar>
  readonly walked: Map<string, Ticker>
  cursor: Walk.Cursor | undefined
}

/** The walks of all bots through the candles of one moment. */
export class CandleWalk {
  readonly #engineState: EngineState
  readonly #catalogue: Catalogue
  readonly #at: number
  readonly #rounds = new Map<BotEntry, Round>()

  /** `windows` passes over the bots whose windows the candles do not leave. */
  constructor(
    engineState: EngineState,
    catalogue: Catalogue,
    bars: Arr.NonEmptyReadonlyArray<Bar>,
    windows: CandleWindows
  ) {
    this.#engineState = engineState
    this.#catalogue = catalogue
    this.#at = bars[0].candle.at
    for (const bar of bars)
      for (const bot of engineState.roster.concerned(bar)) {
        const round: Round = this.#rounds.get(bot) ?? { bars: [], walked: new Map(), cursor: undefined }
        round.bars.push(bar)
        this.#rounds.set(bot, round)
      }
    for (const [bot, { bars }] of this.#rounds) {
      if (windows.isCalm(bot, bars, catalogue)) {
        this.#rounds.delete(bot)
        continue
      }
      windows.forget(bot)
      const { rank } = this.#contextIn(bot)
      const placeOf = ({ exchange, pair }: Bar) => rank({ exchange, pair, kind: "spot" })
      bars.sort((one, other) => placeOf(one) - placeOf(other))
    }
  }

  /** The bots that have candles ahead. */
  bots(): ReadonlyArray<BotEntry> {
    return [...this.#rounds.keys()]
  }

  /** The context of a bot at its place within its candle. */
  contextFor(bot: BotEntry): Context {
    const context = this.#contextIn(bot)
    const cursor = this.#rounds.get(bot)?.cursor
    return cursor === undefined ? context : Walk.contextAt(context, cursor)
  }

  /** Walks to the bot's next decision, through as many of its candles as that takes. */
  step(bot: BotEntry): void {
    for (let round = this.#rounds.get(bot); round !== undefined; round = this.#rounds.get(bot)) {
      const [bar] = round.bars
      if (bar === undefined) return
      round.cursor ??= startWalk(bot, bar)
      const next = Walk.next(this.#contextIn(bot), bot.record.state, round.cursor)
      if (next._tag !== "Step") {
        this.skip(bot)
        continue
      }
      round.cursor = next.cursor
      return this.#engineState.engine.judge.walked(bot, next.decision, next.alert, this.contextFor(bot))
    }
  }

  /** Goes on to the bot's next candle, or ends its walk. */
  skip(bot: BotEntry): void {
    const round = this.#rounds.get(bot)
    if (round === undefined) return
    const bar = round.bars.shift()
    if (bar !== undefined) round.walked.set(pairKey(bar), ofLast(bar.candle.close, this.#at))
    round.cursor = undefined
    if (round.bars.length === 0) this.#rounds.delete(bot)
  }

  /** The context of a bot between two candles: a pair that it has walked has its close, the candle at hand no price. */
  #contextIn(bot: BotEntry): Context {
    const { marks, own, paperFills, roster } = this.#engineState
    const { bars: [bar] = [], walked } = this.#rounds.get(bot) ?? {}
    const here = bar === undefined ? undefined : pairKey(bar)
    const quote = (id: MarketId) => {
      const key = pairKey(id)
      return key === here ? undefined : (walked?.get(key) ?? marks.last(id))
    }
    const prices = { feed: pairKey, quote }
    return contextOf(bot, { roster, catalogue: this.#catalogue, prices, now: this.#at, own, paperFills })
  }
}

const startWalk = (bot: BotEntry, { candle, exchange, pair }: Bar): Walk.Cursor => {
  const markets = (["spot", "swap"] as const).map((kind) => ({ exchange, pair, kind }))
  return Walk.start(candle, markets, due(bot, pair, candle.at))
}

/** The held alerts for the pair that had arrived when the candle began, by arrival. */
const due = (bot: BotEntry, pair: Pair, at: number): ReadonlyArray<BotAlert> =>
  [...bot.held]
    .filter(({ alert }) => pairText(alert) === pair && alert.receivedAt <= at)
    .map(({ alert }) => seenByBot(bot, alert, pair))
