// `signalbox market`: lists, shows, refreshes and switches markets. A running server follows at once.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Decimal from "../domain/Decimal.ts"
import { type Exchange, isPair, type Market, type MarketId, MarketNotFound } from "../domain/Market.ts"
import { type MarketSwitches, Markets } from "../services/Markets.ts"
import { exchangeNamed } from "./exchange.ts"
import { refresh } from "./market/refresh.ts"
import { byDefault, database, json, onMarkets, onStorage } from "./program/shared.ts"
import { columns } from "./program/table.ts"

const exchange = Args.text({ name: "exchange" }).pipe(Args.withDescription("like binance"))
const pair = Args.text({ name: "pair" }).pipe(Args.withDescription("like BTC/USDT"))
const kind = byDefault(
  Options.choice("kind", ["spot", "swap"]),
  "spot",
  "spot, or swap for the pair's linear perpetual"
)

const eitherKind = Options.choice("kind", ["spot", "swap"]).pipe(
  Options.optional,
  Options.withDescription("spot, or swap for the linear perpetual; both by default")
)

const identify = (options: {
  readonly exchange: string
  readonly pair: string
  readonly kind: "spot" | "swap"
}) =>
  Effect.gen(function* () {
    const name = yield* exchangeNamed(options.exchange)
    const pair = options.pair.toUpperCase()
    if (!isPair(pair))
      return yield* new MarketNotFound({ exchange: name, pair: options.pair, kind: options.kind })
    const id: MarketId = { exchange: name, pair, kind: options.kind }
    return id
  })

const show = Command.make("show", { exchange, pair, kind, json, db: database }, (options) =>
  Effect.gen(function* () {
    const id = yield* identify(options)
    const catalogue = yield* Effect.flatMap(Markets, (markets) => markets.catalogue)
    const market = yield* Effect.mapError(catalogue.market(id), () => new MarketNotFound(id))
    const facts = shown(market, catalogue.exchange(id.exchange))
    const rows = Object.entries(facts).map(([fact, value]) => [fact.replaceAll("_", " "), String(value)])
    yield* Console.log(
      options.json ? JSON.stringify(facts) : columns([`${id.exchange} ${id.pair}`, id.kind], rows)
    )
  }).pipe(onMarkets(options.db))
).pipe(Command.withDescription("show one market: its steps, minimums, fees and switches"))

const list = Command.make("list", { exchange, json, db: database }, (options) =>
  Effect.gen(function* () {
    const name = yield* exchangeNamed(options.exchange)
    const service = yield* Markets
    const catalogue = yield* service.catalogue
    const markets = yield* service.list(name)
    const fees = catalogue.exchange(name)
    if (options.json) {
      const facts = markets.map((market) => listed(market, fees))
      return yield* Console.log(JSON.stringify(facts))
    }
    const rows = markets.map((market) => [
      market.pair,
      market.kind,
      Decimal.toText(market.priceStep),
      Decimal.toText(market.amountStep),
      Decimal.toText(market.minCost),
      market.active ? "yes" : "no",
      market.buyEnabled ? "yes" : "no"
    ])
    yield* Console.log(
      columns(["pair", "kind", "price step", "amount step", "min cost", "active", "buying"], rows)
    )
  }).pipe(onMarkets(options.db))
).pipe(Command.withDescription("list the markets of an exchange"))

const toggle = (verb: string, done: string, switches: MarketSwitches, description: string) =>
  Command.make(verb, { exchange, pair, kind: eitherKind, json, db: database }, (options) =>
    Effect.gen(function* () {
      const service = yield* Markets
      const catalogue = yield* service.catalogue
      const kinds = Option.match(options.kind, {
        onNone: () => ["spot", "swap"] as const,
        onSome: (kind) => [kind] as const
      })
      const ids = yield* Effect.forEach(kinds, (kind) => identify({ ...options, kind }))
      const known = ids.filter((id) => Option.isSome(catalogue.market(id)))
      const [first] = ids
      if (known.length === 0 && first !== undefined) return yield* new MarketNotFound(first)
      const markets = yield* Effect.forEach(known, (id) => service.switchMarket(id, switches))
      if (options.json) {
        const facts = markets.map((market) => ({
          exchange: market.exchange,
          ...listed(market, catalogue.exchange(market.exchange))
        }))
        return yield* Console.log(JSON.stringify(facts))
      }
      const isHalted = (market: Market) => switches.active === true && !market.active
      const lines = markets.map((market) => {
        const but = isHalted(market) ? `, but ${market.exchange} does not trade it now` : ""
        return `${market.exchange} ${market.pair} (${market.kind}) is ${done}${but}.`
      })
      yield* Console.log(lines.join("\n"))
    }).pipe(onStorage(options.db))
  ).pipe(Command.withDescription(description))

export const market = Command.make("market").pipe(
  Command.withDescription(
    "list and show markets, refresh them from their exchange, and switch them on and off; works while the server runs"
  ),
  Command.withSubcommands([
    show,
    list,
    refresh,
    toggle("enable", "enabled", { active: true }, "accept the market again in new and changed strategies"),
    toggle("disable", "disabled", { active: false }, "refuse the market in new and changed strategies"),
    toggle(
      "enable-buy",
      "open for buying",
      { buyEnabled: true },
      "let bots open positions on the market again"
    ),
    toggle(
      "disable-buy",
      "closed for buying",
      { buyEnabled: false },
      "only let bots close positions on the market"
    )
  ])
)

const listed = (market: Market, exchange: Exchange) => ({
  pair: market.pair,
  kind: market.kind,
  ...shown(market, exchange)
})

const shown = (market: Market, exchange: Exchange) => ({
  price_step: Decimal.toNumber(market.priceStep),
  amount_step: Decimal.toNumber(market.amountStep),
  min_amount: Decimal.toNumber(market.minAmount),
  min_cost: Decimal.toNumber(market.minCost),
  maker_fee: Decimal.toNumber(exchange.makerFeePercent),
  taker_fee: Decimal.toNumber(exchange.takerFeePercent),
  active: market.active,
  buy_enabled: market.buyEnabled
})
