// The verdict on each of ccxt's error classes in each phase. Only what an exchange says before it accepts an order is
// `Rejected`.
import { PAUSE_MS } from "../../ccxt/PauseLengths.ts"
import { REASONS } from "../../ccxt/Refusal.ts"
import type { Phase, Verdict } from "../Phase.ts"

/** The verdicts of one error class by phase, its reason, and its pause. */
export type Row = Readonly<Record<Phase, Verdict>> & { readonly reason: string; readonly pauseMs: number }

/** The outcome is unknown. */
const open = (reason: string, pauseMs = 0): Row => ({
  ...{ reason, pauseMs },
  ...{ place: "Unknown", lookup: "Unknown", cancel: "Unknown", balance: "Unknown" }
})
/** A refusal before anything else was checked; it says nothing about an order that is looked up. */
const refused = (reason: string): Row => ({ ...open(reason), place: "Rejected" })

const NO_SENSE = "its answer is not understood"
const FAULTY = "the exchange calls the request invalid"
const AWAY = "the exchange is not available"

/**
 * Every error class of ccxt; a test fails if one is missing. Exchange texts that ccxt maps wrongly or too generally are
 * in the descriptors.
 */
export const CLASSES = {
  BaseError: open(NO_SENSE),
  ExchangeError: open(FAULTY),
  AuthenticationError: refused(REASONS.key),
  PermissionDenied: refused(REASONS.right),
  AccountNotEnabled: refused("the account is not enabled for that"),
  AccountSuspended: refused("the account is suspended"),
  ArgumentsRequired: refused(FAULTY),
  BadRequest: open(FAULTY),
  BadSymbol: refused(REASONS.market),
  OperationRejected: refused("the exchange rejected it"),
  NoChange: open("nothing had to change"),
  MarginModeAlreadySet: open("nothing had to change"),
  MarketClosed: refused(REASONS.closed),
  ManualInteractionNeeded: refused("the exchange requires something done by hand on its website first"),
  RestrictedLocation: refused("the exchange does not serve this region"),
  InsufficientFunds: refused(REASONS.funds),
  InvalidAddress: open(FAULTY),
  AddressPending: open(FAULTY),
  InvalidOrder: refused(REASONS.order),
  OrderNotFound: { ...open(REASONS.missing), lookup: "Missing", cancel: "Missing" },
  OrderNotCached: open(REASONS.missing),
  OrderImmediatelyFillable: refused("the market is beyond the order's price already"),
  OrderNotFillable: refused("the order cannot be filled"),
  DuplicateOrderId: open("the exchange knows the order already"),
  ContractUnavailable: refused(REASONS.closed),
  NotSupported: refused("the exchange does not do that"),
  InvalidProxySettings: refused("the proxy settings contradict each other"),
  ExchangeClosedByUser: open("the connection was closed"),
  OperationFailed: open(AWAY),
  NetworkError: open("the exchange cannot be reached"),
  DDoSProtection: open(REASONS.limit, PAUSE_MS.protection),
  RateLimitExceeded: open(REASONS.limit, PAUSE_MS.limit),
  ExchangeNotAvailable: open(AWAY),
  OnMaintenance: open("the exchange is under maintenance"),
  InvalidNonce: refused("the exchange refuses the time of our requests"),
  ChecksumError: open(NO_SENSE),
  RequestTimeout: open("the exchange does not answer"),
  BadResponse: open(NO_SENSE),
  NullResponse: open(NO_SENSE),
  CancelPending: open("it is being cancelled"),
  UnsubscribeError: open(NO_SENSE)
} as const satisfies Readonly<Record<string, Row>>
export type ErrorClass = keyof typeof CLASSES
