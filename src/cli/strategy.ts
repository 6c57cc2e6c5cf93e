// `signalbox strategy`: lists strategies, keeps them as files, and arms or disarms one for real money. Arming does nothing without --yes,
// and needs a running server.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { MAX_LIMIT } from "../api/shared/Paging.ts"
import * as Decimal from "../domain/Decimal.ts"
import * as ArmingStatement from "../domain/requests/ArmingStatement.ts"
import { orderView } from "../http/views/ArmingViews.ts"
import { Orders } from "../services/money/Orders.ts"
import { byDefault, database, json } from "./program/shared.ts"
import { columns, moment, plain } from "./program/table.ts"
import { usage } from "./program/usage.ts"
import { apply } from "./strategy/Apply.ts"
import { leave } from "./strategy/CommandClient.ts"
import { copy, sync } from "./strategy/Copies.ts"
import { exported } from "./strategy/Export.ts"
import { exchangeAccountOf, NotDone, strategyOf, subjectOf } from "./strategy/Known.ts"
import { onLive } from "./strategy/Ports.ts"
import * as Shown from "./strategy/Shown.ts"
import * as Terms from "./strategy/Terms.ts"

const id = Args.integer({ name: "id" }).pipe(
  Args.withDescription("the strategy's id, as signalbox strategy list shows it")
)
const yes = Options.boolean("yes").pipe(
  Options.withDescription("do it; without --yes the command only shows what it would do")
)

const list = Command.make("list", { json, db: database }, (options) =>
  Effect.gen(function* () {
    const all = yield* Shown.all
    if (options.json) return yield* Console.log(JSON.stringify(all.map(Shown.viewOf)))
    if (all.length === 0)
      return yield* Console.log(
        "There is no strategy yet: create one in the dashboard, with signalbox strategy apply FILE, or with POST /v1/strategies"
      )
    const row = ({ account, owner, state, strategy: { id, settings } }: Shown.Shown) => [
      String(id),
      owner,
      Shown.modeOf(state),
      state?.live === undefined ? "" : (account?.name ?? String(state.live.account)),
      settings.active ? "yes" : "no",
      plain(settings.name)
    ]
    yield* Console.log(columns(["id", "account", "mode", "trades with", "active", "name"], all.map(row)))
  }).pipe(onLive(options.db))
).pipe(Command.withDescription("list the strategies of all accounts, and which trade with real money"))

const show = Command.make("show", { id, json, db: database }, (options) =>
  Effect.gen(function* () {
    const strategy = yield* strategyOf(options.id)
    const shown = yield* Shown.one(strategy)
    yield* Console.log(
      options.json
        ? JSON.stringify(Shown.viewOf(shown))
        : Shown.linesOf(shown, subjectOf(strategy)).join("\n")
    )
  }).pipe(onLive(options.db))
).pipe(Command.withDescription("show how a strategy trades: on paper, or with real money and its limits"))

const account = Options.text("account").pipe(
  Options.withPseudoName("X"),
  Options.withDescription("the exchange account to trade with: its name or number")
)
const arm = Command.make("arm", { id, account, ...Terms.options, yes, json, db: database }, (options) =>
  Effect.gen(function* () {
    const strategy = yield* strategyOf(options.id)
    const account = yield* exchangeAccountOf(strategy, options.account)
    const terms = yield* Terms.read(account.id, options)
    const agreed = ArmingStatement.sentences(subjectOf(strategy), account, terms)
    if (!options.yes) return yield* refuseWithoutYes(options, agreed)
    yield* done(options, yield* leave(options.db, strategy, { _tag: "Arm", terms }))
  }).pipe(onLive(options.db))
).pipe(Command.withDescription("let a strategy trade with real money, within limits"))

const close = Options.boolean("close").pipe(Options.withDescription("close open positions at once"))
const forget = Options.boolean("forget").pipe(
  Options.withDescription("write off positions that the exchange no longer holds")
)
const agreement = Options.boolean("yes").pipe(
  Options.withDescription("do it; without --yes, --close and --forget only show what they would do")
)
const disarm = Command.make("disarm", { id, close, forget, yes: agreement, json, db: database }, (options) =>
  Effect.gen(function* () {
    const { close, forget } = options
    const strategy = yield* strategyOf(options.id)
    // A plain disarm needs no --yes: it may be urgent, and it only stops entries.
    if (!options.yes && (close || forget))
      return yield* refuseWithoutYes(options, Shown.leaving(subjectOf(strategy), { close, forget }))
    yield* done(options, yield* leave(options.db, strategy, { _tag: "Disarm", close, forget }))
  }).pipe(onLive(options.db))
).pipe(Command.withDescription("end a strategy's trading with real money"))

const limit = byDefault(
  Options.integer("limit"),
  20,
  `print at most this many orders, the newest ones; up to ${MAX_LIMIT}`
)
const orders = Command.make("orders", { id, limit, json, db: database }, (options) =>
  Effect.gen(function* () {
    const { limit } = options
    if (!(limit >= 1 && limit <= MAX_LIMIT))
      return yield* usage(`--limit takes a number from 1 to ${MAX_LIMIT}`)
    const strategy = yield* strategyOf(options.id)
    const records = yield* Effect.flatMap(Orders, (orders) => orders.page(strategy.id, { limit }))
    const found = yield* Effect.forEach(records, (record) =>
      Effect.map(orderView(record), (view) => ({ record, view }))
    )
    if (options.json) return yield* Console.log(JSON.stringify(found.map(({ view }) => view)))
    if (found.length === 0) return yield* Console.log(`Strategy ${strategy.id} has sent no orders yet`)
    const row = ({ record: { fills, order }, view }: (typeof found)[number]) => [
      moment(view.at),
      `${view.purpose}${view.type === "stop" ? " (stop)" : ""}`,
      view.side,
      Decimal.toText(order.quantity),
      String(view.price),
      view.status,
      Decimal.toText(fills.reduce((sum, fill) => Decimal.add(sum, fill.quantity), Decimal.zero)),
      `${view.exchange} ${view.pair} ${view.kind}`,
      view.client_id ?? "paper"
    ]
    const head = ["time", "for", "side", "quantity", "price", "status", "filled", "market", "client id"]
    yield* Console.log(columns(head, found.map(row)))
  }).pipe(onLive(options.db))
).pipe(
  Command.withDescription("list a strategy's orders, newest first, with the ids that the exchange knows")
)

export const strategy = Command.make("strategy").pipe(
  Command.withDescription(
    "list strategies, keep them as files, copy others', let them trade with real money, and show their orders"
  ),
  Command.withSubcommands([list, show, exported, apply, copy, sync, arm, disarm, orders])
)

interface Saying {
  readonly json: boolean
}

/** Prints what would be done, and that nothing was done. */
const refuseWithoutYes = Effect.fnUntraced(function* ({ json }: Saying, agreed: ReadonlyArray<string>) {
  yield* Console.log(json ? JSON.stringify({ done: false, statement: agreed.join(" ") }) : agreed.join("\n"))
  return yield* new NotDone({ message: "nothing was done: confirm with --yes" })
})

const done = ({ json }: Saying, text: string) =>
  Console.log(json ? JSON.stringify({ done: true, text }) : text)
