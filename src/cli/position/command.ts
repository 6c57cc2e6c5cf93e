// `signalbox position`: lists what strategies hold, and gives the owner's own orders to a running server: close, cancel a
// waiting entry, set targets. Real money moves only with --yes, or after a yes on the terminal.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Prompt from "@effect/cli/Prompt"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Database } from "../../domain/requests/Database.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import * as ManualRequest from "../../domain/requests/ManualRequest.ts"
import type { Violations } from "../../domain/requests/Violations.ts"
import { database, json } from "../program/shared.ts"
import { columns, plain } from "../program/table.ts"
import { usage } from "../program/usage.ts"
import { leave } from "../strategy/CommandClient.ts"
import { NotDone, strategyOf } from "../strategy/Known.ts"
import { onLive } from "../strategy/Ports.ts"
import * as Shown from "../strategy/Shown.ts"
import * as Rows from "./Rows.ts"

const list = Command.make("list", { json, db: database }, (options) =>
  Effect.gen(function* () {
    const rows = (yield* Shown.all).flatMap(Rows.of)
    if (options.json) return yield* Console.log(JSON.stringify(rows.map(Rows.viewOf)))
    if (rows.length === 0) return yield* Console.log("Nothing is held, and no entry waits.")
    yield* Console.log(columns(Rows.HEAD, rows.map(Rows.cellsOf)))
  }).pipe(onLive(options.db))
).pipe(Command.withDescription("list the positions and waiting entries of all strategies"))

const strategy = Args.integer({ name: "strategy" }).pipe(
  Args.withDescription("the strategy's id, as signalbox strategy list shows it")
)
const exchange = Args.text({ name: "exchange" }).pipe(Args.withDescription("like binance"))
const pair = Args.text({ name: "pair" }).pipe(Args.withDescription("like BTC/USDT"))
const kind = Options.choice("kind", ["spot", "swap"]).pipe(
  Options.optional,
  Options.withDescription("spot, or swap for the linear perpetual; by default whichever is in use")
)
const yes = Options.boolean("yes").pipe(
  Options.withDescription("with real money, do it without a question on the terminal")
)
const shared = { strategy, exchange, pair, kind, yes, json, db: database }

const percent = Options.float("percent").pipe(
  Options.optional,
  Options.withDescription("close only this percentage of what is held; by default all")
)
const close = Command.make("close", { ...shared, percent }, ({ percent, ...options }) =>
  given(options, ManualRequest.readClose, { percent: Option.getOrUndefined(percent) }, (market) =>
    Option.match(percent, {
      onNone: () => `close the position on ${market}`,
      onSome: (part) => `close ${part} % of the position on ${market}`
    })
  )
).pipe(Command.withDescription("close a position at the market, all of it or a part"))

const cancel = Command.make("cancel", shared, (options) =>
  given(options, ManualRequest.readCancel, {}, (market) => `cancel the waiting entry on ${market}`)
).pipe(
  Command.withDescription("cancel an entry that waits, or is at the exchange; what has filled of it stays")
)

const target = (name: "tp" | "sl", what: string) =>
  Options.text(name).pipe(
    Options.optional,
    Options.withDescription(`the ${what} price, or none to remove it; without it, it stays as it is`)
  )
const targets = Command.make(
  "targets",
  { ...shared, tp: target("tp", "take-profit"), sl: target("sl", "stop-loss") },
  ({ sl, tp, ...options }) =>
    given(
      options,
      ManualRequest.readTargets,
      { tp: targetOf(tp), sl: targetOf(sl) },
      (market) => `set new targets for the position on ${market}`
    )
).pipe(Command.withDescription("set or remove the take-profit and stop-loss prices of a position"))

/** A price; "none" removes it, and anything else is refused with the request. */
const targetOf = (text: Option.Option<string>): unknown =>
  Option.match(text, {
    onNone: () => undefined,
    onSome: (written) => (written === "none" ? null : Number(written))
  })

export const position = Command.make("position").pipe(
  Command.withDescription("list positions, and close them or change their targets by hand"),
  Command.withSubcommands([list, close, cancel, targets])
)

interface Given {
  readonly strategy: number
  readonly exchange: string
  readonly pair: string
  readonly kind: Option.Option<"spot" | "swap">
  readonly yes: boolean
  readonly json: boolean
  readonly db: Database
}

type Reading = (fields: Fields) => Either.Either<ManualRequest.ManualRequest, Violations>

/** Checks an order by hand as the interface does, and leaves it for the server. */
const given = (options: Given, read: Reading, fields: Fields, words: (market: string) => string) =>
  Effect.gen(function* () {
    const found = yield* strategyOf(options.strategy)
    const pair = options.pair.toUpperCase()
    const all = { ...fields, exchange: options.exchange, pair, kind: Option.getOrUndefined(options.kind) }
    const { order } = yield* Effect.catchTag(read(all), "Violations", ({ message }) => usage(message))
    const { state } = yield* Shown.one(found)
    const what = words(`${order.exchange} ${order.pair}`)
    if (state?.live !== undefined && !options.yes)
      yield* agreed(
        `Strategy ${found.id}, ${plain(found.settings.name)}, trades with real money: ${what}`,
        options.json
      )
    const text = yield* leave(options.db, found, { _tag: "ByHand", order })
    yield* Console.log(options.json ? JSON.stringify({ done: true, text }) : text)
  }).pipe(onLive(options.db))

/** Asks on a terminal; elsewhere nothing is done without --yes. */
const agreed = Effect.fnUntraced(function* (statement: string, isJson: boolean) {
  if (process.stdin.isTTY && !isJson) {
    const isAgreed = yield* Prompt.run(Prompt.confirm({ message: `${statement}?`, initial: false }))
    return isAgreed ? undefined : yield* new NotDone({ message: "nothing was done" })
  }
  yield* Console.log(isJson ? JSON.stringify({ done: false, statement }) : `${statement}.`)
  return yield* new NotDone({ message: "nothing was done: confirm with --yes" })
})
