import * as Option from "effect/Option"
import type { Alert } from "../../domain/Alert.ts"
import type { ExchangeName, MarketId, Pair } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { exchangeFor } from "../../trading/Routing.ts"
import type { Window } from "../../trading/Watch.ts"
import type { BotRecord } from "../Portfolio.ts"
import { pairKey } from "./Marks.ts"

/** An alert that a bot could not decide yet. `since` is when it was first looked at (ms). */
export interface Held {
  readonly alert: Alert
  readonly since: number
}

/** A strategy with its bot, in memory: the very rows that the portfolio holds. */
export interface LiveBot {
  strategy: Strategy
  record: BotRecord
  /** In order of arrival. */
  held: ReadonlyArray<Held>
  /** By market key: what can change the bot's mind. */
  windows: ReadonlyMap<string, Window>
  /** When time alone can change it (ms). */
  wakesAt: number
  /** Whether a trail has moved since the bot was last stored. */
  moved: boolean
  /** Whether its last event could not be decided, by a flaw of ours: said once, not at every price. */
  ailing: boolean
}

/** All bots, and which of them a price concerns: those that hold, await or have ordered something on its pair. */
export class Roster {
  readonly #bots = new Map<StrategyId, LiveBot>()
  /** In order of their strategies' ids. Replaced, never changed: a reader may be under way. */
  readonly #concerned = new Map<string, ReadonlyArray<LiveBot>>()
  readonly #pairs = new Map<StrategyId, ReadonlySet<string>>()

  get(id: StrategyId): Option.Option<LiveBot> {
    return Option.fromNullable(this.#bots.get(id))
  }

  all(): Iterable<LiveBot> {
    return this.#bots.values()
  }

  put(bot: LiveBot): void {
    this.#bots.set(bot.strategy.id, bot)
    this.reindex(bot)
  }

  delete(id: StrategyId): void {
    for (const key of this.#pairs.get(id) ?? []) this.#drop(key, id)
    this.#pairs.delete(id)
    this.#bots.delete(id)
  }

  /** In order of their strategies' ids. */
  concerned(market: { readonly exchange: ExchangeName; readonly pair: Pair }): ReadonlyArray<LiveBot> {
    return this.#concerned.get(pairKey(market)) ?? NOBODY
  }

  /** To be called when a bot's slots, held alerts or settings have changed. Costs what the bot holds. */
  reindex(bot: LiveBot): void {
    const { id } = bot.strategy
    const before = this.#pairs.get(id) ?? NOTHING
    const now = pairsOf(bot)
    for (const key of before) if (!now.has(key)) this.#drop(key, id)
    for (const key of now) {
      if (before.has(key)) continue
      this.#concerned.set(key, joined(this.#concerned.get(key) ?? NOBODY, bot))
    }
    this.#pairs.set(id, now)
  }

  #drop(key: string, id: StrategyId): void {
    const left = (this.#concerned.get(key) ?? []).filter((bot) => bot.strategy.id !== id)
    if (left.length === 0) this.#concerned.delete(key)
    else this.#concerned.set(key, left)
  }
}

/** The bots with one more, in order of their strategies' ids: mostly the newest. */
const joined = (bots: ReadonlyArray<LiveBot>, bot: LiveBot): ReadonlyArray<LiveBot> => {
  let place = bots.length
  while (place > 0 && (bots[place - 1]?.strategy.id ?? 0) > bot.strategy.id) place--
  return bots.toSpliced(place, 0, bot)
}

const NOBODY: ReadonlyArray<LiveBot> = []
const NOTHING: ReadonlySet<string> = new Set()

const pairsOf = (bot: LiveBot): ReadonlySet<string> => {
  const keys = new Set<string>()
  for (const slot of Object.values(bot.record.state.slots)) keys.add(pairKey(slot))
  for (const { alert } of bot.held) {
    for (const market of marketsOf(bot, alert)) keys.add(pairKey(market))
  }
  return keys
}

/** Where a held alert may be decided: the slots of its pair, and the exchange that would be chosen for it now. */
export const marketsOf = (bot: LiveBot, alert: Alert): ReadonlyArray<Pick<MarketId, "exchange" | "pair">> => {
  const slots = Object.values(bot.record.state.slots).filter(({ pair }) => pair === pairText(alert))
  const pair = bot.strategy.settings.exchanges
    .flatMap(({ pairs }) => pairs)
    .find((pair) => pair === pairText(alert))
  const exchange = pair === undefined ? undefined : exchangeFor(bot.strategy.settings, pair)
  return exchange === undefined || pair === undefined ? slots : [...slots, { exchange, pair }]
}

export const pairText = (alert: Alert): string => `${alert.coin}/${alert.quoteCurrency}`
