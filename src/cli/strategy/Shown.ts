// Prints strategies with their trading mode and open positions, as text or JSON.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { ExchangeAccount } from "../../domain/ExchangeAccount.ts"
import { marketKey } from "../../domain/Market.ts"
import { lineOf, type Subject, sentence } from "../../domain/requests/ArmingStatement.ts"
import { statedOf, statementOf } from "../../domain/requests/StrategyStatement.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Accounts } from "../../services/Accounts.ts"
import { ExchangeAccounts } from "../../services/ExchangeAccounts.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { moment, plain } from "../program/table.ts"

/** A strategy with its owner, its bot's state, and its exchange account. */
export interface Shown {
  readonly strategy: Strategy
  readonly owner: string
  readonly state: BotState | undefined
  readonly account: ExchangeAccount | undefined
}

/** All strategies of all accounts, oldest first. */
export const all = Effect.gen(function* () {
  const strategies = yield* Effect.flatMap(StrategyStore, (store) => store.all)
  const bots = yield* Effect.flatMap(Portfolio, ({ bots }) => bots)
  const states = new Map(bots.map(({ state, strategy }) => [strategy, state]))
  const owners = yield* ownersOf
  return yield* Effect.forEach(strategies, (strategy) => shown(strategy, states.get(strategy.id), owners))
})

export const one = Effect.fnUntraced(function* (strategy: Strategy) {
  const bot = yield* Effect.flatMap(Portfolio, (portfolio) => portfolio.bot(strategy.id))
  return yield* shown(strategy, bot?.state, yield* ownersOf)
})

const ownersOf = Effect.map(
  Effect.flatMap(Accounts, ({ all }) => all),
  (accounts): ReadonlyMap<AccountId, string> => new Map(accounts.map(({ id, name }) => [id, name]))
)

const shown = Effect.fnUntraced(function* (
  strategy: Strategy,
  state: BotState | undefined,
  owners: ReadonlyMap<AccountId, string>
) {
  const { get } = yield* ExchangeAccounts
  const account =
    state?.live === undefined
      ? undefined
      : Option.getOrUndefined(yield* Effect.option(get(strategy.account, state.live.account)))
  const found: Shown = { strategy, owner: owners.get(strategy.account) ?? "", state, account }
  return found
})

export const modeOf = (state: BotState | undefined): "paper" | "live" | "leaving" =>
  state?.live === undefined ? "paper" : state.live.leaving === true ? "leaving" : "live"

/** The JSON of a strategy. */
export const viewOf = ({ account, owner, state, strategy: { id, settings } }: Shown) => ({
  strategy_id: id,
  name: settings.name,
  statement: statementOf(statedOf(settings)),
  account: owner,
  active: settings.active,
  quote: settings.quote,
  mode: modeOf(state),
  armed:
    state?.live === undefined
      ? null
      : {
          account: state.live.account,
          account_name: account?.name ?? null,
          exchange: account?.exchange ?? null,
          sandbox: account?.sandbox ?? false,
          capital: Decimal.toNumber(state.live.capital),
          max_order: Decimal.toNumber(state.live.maxOrder),
          max_daily_loss: Decimal.toNumber(state.live.maxDailyLoss),
          protective_stop: state.live.protect,
          armed_at: Math.floor(state.live.since / 1000),
          stopped_today: state.live.day?.tripped === true
        },
  open: openOf(state).map(({ entered, key, quantity, ...flags }) => ({
    market: key,
    quantity: Decimal.toNumber(quantity),
    entered: Decimal.toNumber(entered),
    ...flags
  }))
})

/** The positions of its bot, by market. */
export const openOf = (state: BotState | undefined) =>
  Object.values(state?.slots ?? {}).flatMap((slot) =>
    slot.position === undefined
      ? []
      : [
          {
            key: marketKey(slot),
            side: slot.position.side,
            quantity: slot.position.quantity,
            entered: slot.position.entryQuantity,
            exits: slot.position.exits ?? 0,
            astray: slot.astray !== undefined,
            stop_at_exchange: slot.stop !== undefined
          }
        ]
  )

/** Lines about a strategy: what its settings mean, how it trades, and what is open. */
export const linesOf = (
  { account, owner, state, strategy }: Shown,
  subject: Subject
): ReadonlyArray<string> => {
  const { live } = state ?? {}
  const { name, id } = subject
  const open = openOf(state).map(
    ({ astray, entered, exits, key, quantity, side, stop_at_exchange }) =>
      `  ${side} ${Decimal.toText(quantity)}${exits === 0 ? "" : ` of ${Decimal.toText(entered)}`} on ${key}${stop_at_exchange ? ", its stop at the exchange" : ""}${astray ? ", which the exchange does not hold: the bot does nothing there any more" : ""}`
  )
  return [
    `Strategy ${id}, ${name}, of ${plain(owner)}${strategy.settings.active ? "" : ", inactive"}`,
    statementOf(statedOf(strategy.settings)).join(" "),
    live === undefined
      ? "It trades on paper."
      : `${sentence(lineOf(subject, account, live))}, since ${moment(live.since / 1000)} UTC.`,
    ...(live?.leaving === true
      ? ["It was disarmed: it makes no more entries, and trades on paper again once it is flat."]
      : []),
    ...(live?.day?.tripped === true ? ["It reached its maximum daily loss: no more entries today."] : []),
    ...(open.length === 0 ? ["Nothing is open."] : ["Open:", ...open])
  ]
}

/** Sentences about what disarming does. */
export const leaving = (
  { id, name }: Subject,
  { close, forget }: { readonly close: boolean; readonly forget: boolean }
): ReadonlyArray<string> => [
  `Strategy ${id}, ${name}, makes no more entries with real money.`,
  close
    ? "Open positions are closed at once, at market."
    : "The strategy's rules manage open positions to their end; --close closes them at once.",
  ...(forget ? ["Positions that the exchange no longer holds are written off as a loss."] : []),
  "Once it is flat it trades on paper again, and its performance starts at zero."
]
