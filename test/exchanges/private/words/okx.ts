import type { Flaw } from "../Flaw.ts"

/** Code and words; a status where it is no 200. */
export const WORDS: Readonly<Record<Flaw, readonly [string, string, number?]>> = {
  no_key: ["50103", 'Request header "OK-ACCESS-KEY" can not be empty.', 401],
  bad_key: ["50111", "Invalid OK-ACCESS-KEY", 401],
  bad_signature: ["50113", "Invalid Sign", 401],
  bad_passphrase: ["50105", 'Request header "OK-ACCESS-PASSPHRASE" incorrect.', 401],
  clock: ["50102", "Timestamp request expired", 401],
  expired: [
    "50036",
    "The expTime can't be earlier than the current system time. Please adjust the expTime and try again."
  ],
  no_permission: ["50120", "This API key doesn't have permission to use this function", 401],
  insufficient: ["51008", "Order failed. Insufficient USDT balance in account."],
  min_amount: ["51020", "Your order should meet or exceed the minimum order amount."],
  min_cost: ["51020", "Your order should meet or exceed the minimum order amount."],
  amount_step: ["51121", "Order quantity must be a multiple of the lot size."],
  price_step: ["51000", "Parameter px error"],
  unknown_market: ["51001", "Instrument ID, Instrument ID code, or Spread ID doesn't exist."],
  closed_market: ["51022", "Contract suspended."],
  duplicate_id: ["51016", "Client order ID already exists."],
  bad_id: ["51000", "Parameter clOrdId error"],
  unknown_order: ["51603", "Order does not exist"],
  not_open: ["51400", "Order cancellation failed as the order has been filled, canceled or does not exist."],
  would_trigger: ["51280", "SL trigger price must be less than the last price"],
  bad_request: ["51000", "Parameter sz error"],
  wrong_mode: ["51000", "Parameter tdMode error"],
  in_use: [
    "59668",
    "Cancel isolated margin TP/SL, trailing, trigger, and chase orders or stop bots before adjusting your leverage."
  ],
  limited: ["50011", "Too Many Requests", 429],
  banned: ["50011", "Too Many Requests", 429],
  busy: ["50026", "System error. Please try again later.", 500],
  maintenance: ["50001", "Service temporarily unavailable. Please try again later.", 503],
  timeout: ["50004", "API endpoint request timeout.", 400]
}
