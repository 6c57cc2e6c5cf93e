// The verdict on each of ccxt's error classes in each phase. Only what an exchange says before it accepts an order is
// `Rejected`.
import type { Phase, Verdict } from "../Phase.ts"

/** The verdicts of one error class by phase, its reason, and its pause. */
export type Row = Readonly<Record<Phase, Verdict>> & { readonly reason: string; readonly pauseMs: number }

const row = (reason: string, place: Verdict, lookup: Verdict, cancel: Verdict, pauseMs = 0): Row => ({
  ...{ reason, place, lookup, cancel, pauseMs },
  balance: "Unknown"
})
/** A refusal before anything else was checked; it says nothing about an order that is looked up. */
const refused = (reason: string) => row(reason, "Rejected", "Unknown", "Unknown")
/** The outcome is unknown. */
const open = (reason: string, pauseMs = 0) => row(reason, "Unknown", "Unknown", "Unknown", pauseMs)

const NO_SENSE = "its answer is not understood"
const FAULTY = "the exchange calls the request invalid"
const ORDER = "the exchange refuses the order as it is"
const KEY = "the exchange refuses the key"
const RIGHTS = "the key may not do that"
const CLOSED = "the market cannot be traded now"
const LIMIT = "the exchange limits our requests"
const AWAY = "the exchange is not available"

/**
 * Every error class of ccxt; a test fails if one is missing. Exchange texts that ccxt maps wrongly or too generally are
 * in `words`.
 */
export const CLASSES = {
  BaseError: open(NO_SENSE),
  ExchangeError: open(FAULTY),
  AuthenticationError: refused(KEY),
  PermissionDenied: refused(RIGHTS),
  AccountNotEnabled: refused("the account is not enabled for that"),
  AccountSuspended: refused("the account is suspended"),
  ArgumentsRequired: refused(FAULTY),
  BadRequest: open(FAULTY),
  BadSymbol: refused("the exchange does not know the market"),
  OperationRejected: refused("the exchange rejected it"),
  NoChange: open("nothing had to change"),
  MarginModeAlreadySet: open("nothing had to change"),
  MarketClosed: refused(CLOSED),
  ManualInteractionNeeded: refused("the exchange requires something done by hand on its website first"),
  RestrictedLocation: refused("the exchange does not serve this region"),
  InsufficientFunds: refused("there is not enough money in the account"),
  InvalidAddress: open(FAULTY),
  AddressPending: open(FAULTY),
  InvalidOrder: refused(ORDER),
  OrderNotFound: row("the exchange does not know the order", "Unknown", "Missing", "Missing"),
  OrderNotCached: row("the exchange does not know the order", "Unknown", "Unknown", "Unknown"),
  OrderImmediatelyFillable: refused("the market is beyond the order's price already"),
  OrderNotFillable: refused("the order cannot be filled"),
  DuplicateOrderId: open("the exchange knows the order already"),
  ContractUnavailable: refused(CLOSED),
  NotSupported: refused("the exchange does not do that"),
  InvalidProxySettings: refused("the proxy settings contradict each other"),
  ExchangeClosedByUser: open("the connection was closed"),
  OperationFailed: open(AWAY),
  NetworkError: open("the exchange cannot be reached"),
  DDoSProtection: open(LIMIT, 30_000),
  RateLimitExceeded: open(LIMIT, 5000),
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
