import type { Flaw } from "../Flaw.ts"

/** Code and words. */
export const WORDS: Readonly<Record<Flaw, readonly [string, string, number?]>> = {
  no_key: ["40006", "Invalid ACCESS_KEY"],
  bad_key: ["40037", "Apikey does not exist"],
  bad_signature: ["40009", "sign signature error"],
  bad_passphrase: ["40012", "apikey/password is incorrect"],
  clock: ["40008", "Request timestamp expired"],
  expired: ["40008", "Request timestamp expired"],
  no_permission: ["40014", "Incorrect permissions, need spot trade write permissions"],
  insufficient: ["43012", "Insufficient balance"],
  min_amount: ["45111", "less than the minimum order quantity"],
  min_cost: ["45110", "less than the minimum amount 1 USDT"],
  amount_step: ["40808", "Parameter verification exception size checkBDScale error value=1 checkScale=4"],
  price_step: ["40808", "Parameter verification exception price checkBDScale error value=1 checkScale=2"],
  unknown_market: ["40034", "Parameter symbol does not exist"],
  closed_market: ["43119", "Trading is not open"],
  duplicate_id: ["40786", "Duplicate clientOid"],
  bad_id: ["43011", "The parameter does not meet the specification clientOid"],
  unknown_order: ["40109", "The data of the order cannot be found, please confirm the order number"],
  not_open: ["43001", "The order does not exist"],
  would_trigger: ["40832", "The take profit price must be greater than the current price"],
  bad_request: ["40017", "Parameter verification failed"],
  wrong_mode: ["40017", "Parameter verification failed"],
  in_use: ["45117", "Currently holding positions or orders, the margin mode cannot be adjusted"],
  limited: ["429", "Too Many Requests", 429],
  banned: ["429", "Too Many Requests", 403],
  busy: ["40015", "System is abnormal, please try again later"],
  maintenance: ["40200", "Server upgrade, please try again later"],
  timeout: ["40010", "Request timed out"]
}
