// Errors as problem documents (RFC 9457): the one table of statuses and stable codes. Texts are cut to a bound.
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Code, Kind, StatusOf } from "../api/shared/Codes.ts"
import { type Body, CONTENT_TYPE, Problem } from "../api/shared/Problem.ts"
import { Refusal } from "../api/shared/Security.ts"
import type { TokenNotFound, TooManyTokens } from "../domain/Account.ts"
import type { AlertNotFound, AlertUnreadable } from "../domain/Alert.ts"
import type { ArmingRefused } from "../domain/Arming.ts"
import type { NotACopy, OriginalGone } from "../domain/directory/Copy.ts"
import type { ExchangeAccountNotFound } from "../domain/ExchangeAccount.ts"
import type { MarketNotFound } from "../domain/Market.ts"
import type { PairingNotFound } from "../domain/notify/Chat.ts"
import type { ManualRefused } from "../domain/position/ManualOrder.ts"
import type { Violations } from "../domain/requests/Violations.ts"
import type { SignalInactive, SignalNotFound, TooManySignals } from "../domain/Signal.ts"
import type { StrategyBusy, StrategyNotFound, TooManyStrategies } from "../domain/Strategy.ts"
import type { TargetNotFound, TooManyTargets } from "../domain/Target.ts"
import type { BackupRefused } from "../services/Backups.ts"
import type { BacktestBusy, BacktestFailed } from "../services/backtest/Failures.ts"
import type { ExchangeAccountInUse } from "../services/ExchangeAccounts.ts"
import type { CandlesBusy, CandlesOff, CandlesUnavailable } from "../services/feeds/CandleLibrary.ts"
import type { JournalUnavailable, KeyReused } from "../services/Journal.ts"
import type { RateLimited } from "../services/RateLimits.ts"
import type { RequestRejected } from "./RequestRejected.ts"
import { CurrentRequest } from "./request/Request.ts"

/** Every error that a request can end with. */
export type Failure =
  | RequestRejected
  | Violations
  | SignalNotFound
  | SignalInactive
  | StrategyNotFound
  | StrategyBusy
  | NotACopy
  | OriginalGone
  | AlertNotFound
  | AlertUnreadable
  | TargetNotFound
  | TooManyTargets
  | PairingNotFound
  | TokenNotFound
  | MarketNotFound
  | BackupRefused
  | CandlesBusy
  | CandlesOff
  | CandlesUnavailable
  | ArmingRefused
  | ManualRefused
  | ExchangeAccountNotFound
  | ExchangeAccountInUse
  | TooManyTokens
  | TooManySignals
  | TooManyStrategies
  | JournalUnavailable
  | KeyReused
  | BacktestBusy
  | BacktestFailed
  | RateLimited

/** The status and stable code of each error; the error itself has the message. */
const kinds = {
  Violations: [422, "invalid_request"],
  SignalNotFound: [404, "not_found"],
  SignalInactive: [422, "signal_inactive"],
  StrategyNotFound: [404, "not_found"],
  StrategyBusy: [409, "order_in_flight"],
  NotACopy: [409, "not_a_copy"],
  OriginalGone: [404, "original_gone"],
  AlertNotFound: [404, "not_found"],
  TargetNotFound: [404, "not_found"],
  PairingNotFound: [404, "not_found"],
  TooManyTargets: [422, "too_many_notifications"],
  MarketNotFound: [404, "not_found"],
  TokenNotFound: [404, "not_found"],
  ExchangeAccountNotFound: [404, "not_found"],
  ExchangeAccountInUse: [409, "exchange_account_in_use"],
  TooManyTokens: [422, "too_many_tokens"],
  TooManySignals: [422, "too_many_signals"],
  TooManyStrategies: [422, "too_many_strategies"],
  JournalUnavailable: [503, "unavailable"],
  KeyReused: [422, "idempotency_key_reused"],
  BacktestBusy: [409, "backtest_running"],
  BacktestFailed: [422, "backtest_failed"],
  CandlesBusy: [409, "candles_busy"],
  CandlesOff: [409, "candles_off"],
  CandlesUnavailable: [503, "unavailable"],
  RateLimited: [429, "rate_limited"]
} as const

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable"
}

const MAX_TEXT = 200

const errorsOf = (failure: Failure): Body["errors"] => {
  switch (failure._tag) {
    case "Violations":
      return failure.errors
    case "SignalInactive":
      return { signal_id: [failure.message] }
    case "KeyReused":
      return { "Idempotency-Key": [failure.message] }
    case "ArmingRefused": {
      const { field, message } = failure
      return field === undefined ? {} : { [field]: [message.slice(0, MAX_TEXT)] }
    }
    default:
      return {}
  }
}

/** An error as a problem document. */
export const of = (failure: Failure, requestId: string): Problem => {
  const [status, code] = kindOf(failure)
  return problem({ status, code, text: failure.message, requestId, errors: errorsOf(failure) })
}

const kindOf = (failure: Failure): Kind => {
  switch (failure._tag) {
    case "RequestRejected":
      return failure.kind
    case "AlertUnreadable":
      return failure.isUnfilled ? [422, "unresolved_placeholder"] : [400, "malformed_body"]
    case "BackupRefused":
      return failure.reason === "failed" ? [503, "backup_failed"] : [409, `backup_${failure.reason}`]
    case "ArmingRefused":
      return [failure.field === undefined ? 409 : 422, failure.reason]
    case "ManualRefused":
      return [409, failure.reason]
    default:
      return kinds[failure._tag]
  }
}

/** A problem without violations of fields. */
export const make = <C extends Code>(
  status: StatusOf<C>,
  code: C,
  text: string,
  requestId: string
): Problem => problem({ status, code, text, requestId, errors: {} })

interface Parts {
  readonly status: number
  readonly code: Code
  readonly text: string
  readonly requestId: string
  readonly errors: Body["errors"]
}

const problem = ({ code, errors, requestId, status, text }: Parts): Problem => {
  const message = text.slice(0, MAX_TEXT)
  return new Problem({
    type: `urn:signalbox:problem:${code}`,
    title: titles[status] ?? "Error",
    status,
    detail: message,
    code,
    message,
    errors,
    request_id: requestId
  })
}

/** A problem document as a response. */
export const respond = (problem: Problem, headers: Record<string, string> = {}): Response =>
  new Response(textOf(problem), {
    status: problem.status,
    headers: { "content-type": CONTENT_TYPE, ...headers }
  })

/** The same for the router. */
const answer = (problem: Problem): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(textOf(problem), { status: problem.status, contentType: CONTENT_TYPE })

const textOf = ({ type, title, status, detail, code, message, errors, request_id }: Problem): string =>
  JSON.stringify({ type, title, status, detail, code, message, errors, request_id })

/** Answers the errors of a handler with problems that have the request's id. */
export const refuse = <A, E extends Failure, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchAll(self, (failure) => Effect.map(CurrentRequest, ({ id }) => answer(of(failure, id))))

/** Turns the errors of an authentication into the problems that the contract declares for it. */
export const refuseEntry = <A, R>(self: Effect.Effect<A, RequestRejected | RateLimited, R>) =>
  Effect.catchAll(self, (failure) =>
    Effect.flatMap(CurrentRequest, ({ id }) => {
      const problem = of(failure, id)
      return isRefusal(problem) ? Effect.fail(problem) : Effect.die(problem)
    })
  )

const isRefusal = Schema.is(Refusal)
