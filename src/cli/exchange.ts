// `signalbox exchange`: lists the exchanges and switches them on and off. A running server follows at once.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Decimal from "../domain/Decimal.ts"
import { type Exchange, ExchangeNotFound, exchangeNameOf } from "../domain/Market.ts"
import { Markets } from "../services/Markets.ts"
import { database, json, onMarkets, onStorage } from "./program/shared.ts"
import { columns } from "./program/table.ts"

const name = Args.text({ name: "name" }).pipe(Args.withDescription("an exchange, like binance"))

/** The exchange of that name, or an error that lists all names. */
export const exchangeNamed = (text: string) =>
  Effect.mapError(Effect.fromNullable(exchangeNameOf(text)), () => new ExchangeNotFound({ name: text }))

const list = Command.make("list", { json, db: database }, (options) =>
  Effect.gen(function* () {
    const exchanges = yield* Effect.flatMap(Markets, (markets) => markets.exchanges)
    if (options.json) return yield* Console.log(JSON.stringify(exchanges.map(shown)))
    const rows = exchanges.map((exchange) => [
      exchange.name,
      exchange.active ? "yes" : "no",
      `${Decimal.toText(exchange.makerFeePercent)} %`,
      `${Decimal.toText(exchange.takerFeePercent)} %`
    ])
    yield* Console.log(columns(["exchange", "active", "maker fee", "taker fee"], rows))
  }).pipe(onMarkets(options.db))
).pipe(Command.withDescription("list the exchanges with their default fees"))

const toggle = (verb: "enable" | "disable") =>
  Command.make(verb, { name, json, db: database }, (options) =>
    Effect.gen(function* () {
      const exchange = yield* exchangeNamed(options.name)
      const markets = yield* Markets
      yield* markets.switchExchange(exchange, verb === "enable")
      if (!options.json) return yield* Console.log(`${exchange} is ${verb}d.`)
      const { exchange: factsOf } = yield* markets.catalogue
      yield* Console.log(JSON.stringify(shown(factsOf(exchange))))
    }).pipe(onStorage(options.db))
  ).pipe(
    Command.withDescription(
      verb === "enable"
        ? "accept the exchange again in new and changed strategies"
        : "refuse the exchange in new and changed strategies"
    )
  )

export const exchange = Command.make("exchange").pipe(
  Command.withDescription("list the exchanges and switch them on and off; works while the server runs"),
  Command.withSubcommands([list, toggle("enable"), toggle("disable")])
)

const shown = (exchange: Exchange) => ({
  name: exchange.name,
  active: exchange.active,
  maker_fee: Decimal.toNumber(exchange.makerFeePercent),
  taker_fee: Decimal.toNumber(exchange.takerFeePercent)
})
