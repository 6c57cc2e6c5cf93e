// Whether one strategy would buy with the next alert, and else why not: first what concerns all of its pairs, then pair
// by pair, as its bot would decide. Pure.
import * as Option from "effect/Option"
import type { IgnoredReason } from "../../domain/Alert.ts"
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import * as EditDistance from "../../domain/internal/EditDistance.ts"
import {
  isKnownExchange,
  type KnownExchange,
  type MarketId,
  marketKey,
  type Pair,
  quoteOf
} from "../../domain/Market.ts"
import { OrderId } from "../../domain/Order.ts"
import type { Settings } from "../../domain/Strategy.ts"
import { ofLast } from "../../domain/Ticker.ts"
import { tradable } from "../../services/engine/decide/Context.ts"
import type { Facts, Tradeable } from "../../sqlite/readers/Tradeable.ts"
import { feesOf } from "../../trading/books/Fees.ts"
import type { Context } from "../../trading/Decision.ts"
import { type EntryOutlook, outlookOn } from "../../trading/EntryOutlook.ts"
import { type Place, routesOf } from "../../trading/Routing.ts"
import { moment, plain } from "../program/table.ts"
import { GUIDE, type Say, type Topic } from "./Check.ts"

/** Why nothing is bought, what to do, and where the guide says more. `passes`: it was meant so, or ends by itself. */
export interface Hindrance {
  readonly text: string
  readonly advice: string
  readonly guide: Topic
  readonly passes: boolean
}

/** What came of a strategy: what it buys on how many pairs, and what keeps it from buying on the others. */
export interface Outlook {
  readonly buys: ReadonlyArray<Decimal.Decimal>
  readonly invested: number
  readonly hindrances: ReadonlyArray<Hindrance>
}

/** The surroundings of all strategies. `now` in ms. */
export interface World extends Pick<Facts, "catalogue" | "prices"> {
  readonly now: number
  readonly say: Say
}

/** The outlook of an active strategy whose bot stands so. */
export const outlookOf = (
  strategy: Tradeable,
  settings: Settings,
  state: BotState,
  world: World
): Outlook => {
  const hindrance = bar(strategy, settings, state, world)
  if (hindrance !== undefined) return { buys: [], invested: 0, hindrances: [hindrance] }
  const context = contextOf(strategy, settings, world)
  const found = [...routesOf(settings).values()].map((place) => {
    const kind = context.market({ ...place, kind: "spot" }) === undefined ? "swap" : "spot"
    const id = { ...place, kind } as const
    return { id, outlook: seen(context, state, id, world.prices.get(marketKey(id))) }
  })
  return {
    buys: found.flatMap(({ outlook }) => (outlook._tag === "Buys" ? [outlook.cost] : [])),
    invested: found.filter(({ outlook }) => outlook._tag === "Invested").length,
    hindrances: found
      .map(({ id, outlook }) => hindranceOn(id, outlook, { settings, state, world }))
      .filter((it) => it !== undefined)
  }
}

/** The outlook on a market of which the bot may hold something already. */
const seen = (
  context: Context,
  state: BotState,
  id: MarketId,
  price: number | undefined
): EntryOutlook | { readonly _tag: "Astray" | "OtherQuote" } => {
  const slot = state.slots[marketKey(id)]
  if (slot?.astray !== undefined) return { _tag: "Astray" }
  if (context.market(id) === undefined) return { _tag: "Unlisted" }
  if (quoteOf(id.pair) !== context.settings.quote) return { _tag: "OtherQuote" }
  return slot?.position === undefined ? outlookOn(context, state, id, price) : { _tag: "Invested" }
}

/** What keeps a strategy from buying on any pair. */
const bar = (
  { account, halted, signalActive, signalId }: Tradeable,
  { buyPercent, exchanges }: Settings,
  { setAside, stopLossUntil = 0, takeProfitUntil = 0 }: BotState,
  { now, say }: World
): Hindrance | undefined => {
  if (signalId === null) return must("it follows no signal", "choose one in its settings", GUIDE.signal)
  if (!signalActive)
    return must("its signal is switched off", `switch signal ${signalId} on in the dashboard`, GUIDE.signal)
  if (setAside !== undefined) return must("it is set aside", "change its settings", GUIDE.aside)
  if (exchanges.every(({ pairs }) => pairs.length === 0))
    return must("it lists no pair", "choose pairs in its settings", GUIDE.exchanges)
  if (buyPercent === 0) return must("its buy_percentage is 0", "set one above 0", GUIDE.zeroPercent)
  if (halted) {
    const advice = `end the halt: ${say("resume")}, or ${say(`resume --account ${account}`)}`
    return waits(`entries of ${plain(account)} are halted`, advice, GUIDE.halted)
  }
  const until = Math.max(stopLossUntil, takeProfitUntil)
  if (until <= now) return undefined
  const text = `it cools down until ${moment(until / 1000)} UTC after a rule for the balance`
  return waits(text, "wait, or change the rule", GUIDE.cooldown)
}

/** The context of a decision, with the prices that were traded at last. */
const contextOf = (
  { halted, id }: Tradeable,
  settings: Settings,
  { catalogue, now, prices }: World
): Context => ({
  now,
  settings,
  market: (market) => tradable(catalogue, market),
  fees: (market) => feesOf(settings, catalogue.exchange(market.exchange)),
  quote: (market) => {
    const price = prices.get(marketKey(market))
    return price === undefined ? undefined : ofLast(price, now)
  },
  feed: marketKey,
  rank: () => 0,
  orderId: (index) => OrderId.make(`${id}-0-${index}`),
  halted
})

interface Around {
  readonly settings: Settings
  readonly state: BotState
  readonly world: World
}

const must = (text: string, advice: string, guide: Topic): Hindrance => ({
  text,
  advice,
  guide,
  passes: false
})
const waits = (text: string, advice: string, guide: Topic): Hindrance => ({
  text,
  advice,
  guide,
  passes: true
})

/** What keeps a strategy from buying on one pair, if anything does. */
const hindranceOn = (
  { exchange, pair }: MarketId,
  outlook: ReturnType<typeof seen>,
  { settings: { quote }, state, world }: Around
): Hindrance | undefined => {
  switch (outlook._tag) {
    case "Buys":
    case "Invested":
      return undefined
    case "OtherQuote":
      return must(`${pair} is not quoted in the strategy's ${quote}`, `list pairs in ${quote}`, GUIDE.quote)
    case "Astray": {
      const text = `${exchange} holds less of ${pair} than the books say, so its bot stopped there`
      return must(text, "put the coins back, or disarm it with --forget", GUIDE.astray)
    }
    case "Unlisted":
      // Only the program that serves an exchange of its own knows the markets there.
      return isKnownExchange(exchange) ? unlisted(exchange, pair, world) : undefined
    case "TooSmall": {
      const text = `an entry would be ${shown(outlook.cost)} ${quote}, and the smallest order of ${pair} on ${exchange} is ${shown(outlook.least)}`
      return must(text, "raise buy_percentage, or give it more balance", GUIDE.belowMinimum)
    }
    case "Refused":
      return refusal(outlook.reason, { exchange, pair }, state, world.say)
  }
}

const unlisted = (exchange: KnownExchange, pair: Pair, { catalogue, say }: World): Hindrance => {
  const names = new Set(catalogue.markets(exchange).map((market) => market.pair))
  const advice = `correct the pair, or ask ${exchange} for its markets: ${say(`market refresh ${exchange}`)}`
  return must(
    `${exchange} has no market ${pair}; the nearest is ${nearest(pair, names)}`,
    advice,
    GUIDE.markets
  )
}

/** The bot's own reason against an entry. */
const refusal = (
  reason: IgnoredReason,
  { exchange, pair }: Place,
  { live, quote }: BotState,
  say: Say
): Hindrance => {
  switch (reason) {
    case "disarming":
      return waits("it is being disarmed", "wait until all is closed", GUIDE.disarming)
    case "daily_loss":
      return waits("it lost as much today as it was armed for", "wait until midnight UTC", GUIDE.dailyLoss)
    case "over_max_order": {
      const most = live === undefined ? "" : ` of ${shown(live.maxOrder)} ${quote}`
      const advice = "lower buy_percentage, or arm it anew with a larger one"
      return must(`an entry is above the largest order${most} that it was armed with`, advice, GUIDE.overMost)
    }
    case "insufficient_balance":
      return must("it has no money left", "arm or make it anew with more balance", GUIDE.noBalance)
    default: {
      const open = `${say(`exchange enable ${exchange}`)}, ${say(`market enable-buy ${exchange} ${pair}`)}`
      return must(
        `${pair} on ${exchange} is closed for buying`,
        `list another pair, or open it if you closed it: ${open}`,
        GUIDE.marketClosed
      )
    }
  }
}

/** The name that is spelt most like a pair. */
const nearest = (pair: string, names: Iterable<string>): string => {
  const [best] = Array.from(names, (name) => ({ name, edits: EditDistance.between(pair, name) })).sort(
    (one, other) => one.edits - other.edits
  )
  return best?.name ?? pair
}

/** An amount of money for reading, with at most eight digits. */
export const shown = (amount: Decimal.Decimal): string =>
  String(Number(Decimal.toNumber(amount).toPrecision(8)))

/** The state of a strategy's bot, which starts with `balance` where it has none yet; none where it cannot be read. */
export const stateOf = ({ state }: Tradeable, fresh: BotState): Option.Option<BotState> =>
  state === undefined ? Option.some(fresh) : state
