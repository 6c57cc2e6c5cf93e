import type { Flaw } from "../Flaw.ts"

/** Code and words; a status where it is no 200. */
export const WORDS: Readonly<Record<Flaw, readonly [string, string, number?]>> = {
  no_key: ["400001", "Please check the header of your request for KC-API-KEY.", 401],
  bad_key: ["400003", "KC-API-KEY not exists", 401],
  bad_signature: ["400005", "Invalid KC-API-SIGN", 401],
  bad_passphrase: ["400004", "Invalid KC-API-PASSPHRASE", 401],
  clock: ["400002", "KC-API-TIMESTAMP Invalid", 400],
  expired: ["400002", "KC-API-TIMESTAMP Invalid", 400],
  no_permission: ["400007", "Access denied --> Require more permission.", 403],
  insufficient: ["200004", "Balance insufficient!"],
  min_amount: ["400100", "The quantity is below the minimum requirement."],
  min_cost: ["300000", "The order funds should be more than 0.1 USDT."],
  amount_step: ["400100", "Order size increment invalid."],
  price_step: ["400100", "Price increment invalid."],
  unknown_market: ["900001", "symbol not exists"],
  closed_market: ["400600", "validation.createOrder.symbolNotAvailable"],
  duplicate_id: ["400100", "clientOid is duplicated"],
  bad_id: ["400100", "clientOid is invalid"],
  unknown_order: ["100001", "error.getOrder.orderNotExist"],
  not_open: ["400100", "order_not_exist_or_not_allow_to_cancel"],
  would_trigger: ["300000", "validation.createOrder.stopPriceInvalid"],
  bad_request: ["400100", "Invalid parameter."],
  wrong_mode: ["400100", "Invalid parameter."],
  in_use: ["330006", "Current mode can only be modified if there are no open orders or positions."],
  limited: ["429000", "Too many requests in a short period of time, please retry later", 429],
  banned: ["1015", "You are being rate limited", 403],
  busy: ["500000", "Internal Server Error", 500],
  maintenance: ["503", "Service Unavailable", 503],
  timeout: ["230005", "Processing, please check the order later"]
}
