// The routes of trading with real money: exchange accounts, arming, orders, halts.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/shared/Security.ts"
import * as ArmingRequest from "../../domain/requests/ArmingRequest.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Arming } from "../../services/Arming.ts"
import { Events } from "../../services/Events.ts"
import { standingOf } from "../../services/internal/Operator.ts"
import { ExchangeDesk } from "../../services/money/ExchangeDesk.ts"
import * as Halting from "../../services/money/Halting.ts"
import { bindingOn, Halts } from "../../services/money/Halts.ts"
import { Orders } from "../../services/money/Orders.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { refuse } from "../Problems.ts"
import { stillHalted } from "../RequestRejected.ts"
import * as ArmingQuery from "../request/ArmingQuery.ts"
import * as Pages from "../request/Pages.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import { CurrentRequest } from "../request/Request.ts"
import * as Answers from "../views/Answers.ts"
import { accountView, haltView, modeView, orderView } from "../views/ArmingViews.ts"

/** Rows of a response without a `limit`. */
const DEFAULT_LIMIT = 100

/** Lets the connection be quiet while an exchange is asked. */
const patience = Effect.map(CurrentRequest, ({ linger }) => linger(60))

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "live", (handlers) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const arming = yield* Arming
    const desk = yield* ExchangeDesk
    const events = yield* Events
    const halts = yield* Halts
    const orders = yield* Orders
    const store = yield* StrategyStore

    const arm = Effect.fn("http.Arming.arm")(function* (
      id: number,
      request: HttpServerRequest.HttpServerRequest
    ) {
      const { account } = yield* Caller
      const { fields } = yield* jsonOnly(request)
      const before = yield* arming.mode(account, id)
      const { confirmation, terms } = yield* ArmingRequest.read(fields)
      yield* patience
      if (confirmation !== undefined) return modeView(yield* arming.arm(account, id, terms, confirmation))
      return modeView(before, yield* arming.propose(account, id, terms))
    })
    const disarm = Effect.fn("http.Arming.disarm")(function* (id: number, query: ArmingQuery.Disarming) {
      const { account } = yield* Caller
      yield* arming.mode(account, id)
      return modeView(yield* arming.disarm(account, id, yield* ArmingQuery.disarming(query)))
    })
    const list = Effect.fn("http.Arming.orders")(function* (id: number, query: Pages.PageQuery) {
      const { account } = yield* Caller
      const strategy = yield* store.get(account, id)
      const page = yield* Pages.read({ limit: DEFAULT_LIMIT, ...query })
      const found = yield* orders.page(strategy.id, Pages.before(page, DEFAULT_LIMIT))
      const { headers, rows } = yield* Pages.cut(found, page, ({ sequence }) => sequence)
      return yield* Answers.list(yield* Effect.forEach(rows, orderView), (view) => view, headers)
    })
    const withServices = Effect.provide(Context.make(Halts, halts).pipe(Context.add(Events, events)))
    const halted = Effect.flatMap(Caller, ({ account }) =>
      Effect.map(halts.all, (all) => haltView(all, account))
    )
    const halt = Effect.flatMap(Caller, ({ account }) =>
      Effect.zipRight(withServices(Halting.halt(Option.some(account), "request", "by hand")), halted)
    )
    const resume = Effect.gen(function* () {
      const { account } = yield* Caller
      yield* withServices(Halting.resume(Option.some(account)))
      const { isOperator } = yield* Effect.provideService(standingOf(account), Accounts, accounts)
      if (isOperator) yield* withServices(Halting.resume(Option.none()))
      return Option.isSome(bindingOn(yield* halts.all, account)) ? yield* stillHalted : yield* halted
    })

    return handlers
      .handle("accounts", () =>
        Effect.flatMap(Caller, ({ account }) =>
          Effect.map(desk.list(account), (found) => ({
            data: found.map(({ account, strategies }) => accountView(account, strategies))
          }))
        )
      )
      .handle("check", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.map(Effect.zipRight(patience, desk.check(account, path.id)), ({ account, strategies }) =>
              accountView(account, strategies)
            )
          )
        )
      )
      .handle("remove", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.as(
              desk.remove(account, path.id),
              Answers.done("the exchange account is removed, and its keys with it")
            )
          )
        )
      )
      .handle("mode", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.map(arming.mode(account, path.id), (mode) => modeView(mode))
          )
        )
      )
      .handleRaw("arm", ({ path, request }) => refuse(arm(path.id, request)))
      .handle("disarm", ({ path, urlParams }) => refuse(disarm(path.id, urlParams)))
      .handleRaw("orders", ({ path, urlParams }) => refuse(list(path.id, urlParams)))
      .handle("halted", () => halted)
      .handle("halt", () => halt)
      .handle("resume", () => refuse(resume))
  })
)
