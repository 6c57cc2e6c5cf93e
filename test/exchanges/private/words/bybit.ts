import type { Flaw } from "../Flaw.ts"

/** Code and words; a perpetual's where they differ. */
export const WORDS: Readonly<Record<Flaw, readonly [number, string, number?]>> = {
  no_key: [10003, "API key is invalid."],
  bad_key: [10003, "API key is invalid."],
  bad_signature: [10004, "error sign! origin_string[stub]"],
  bad_passphrase: [10003, "API key is invalid."],
  clock: [10002, "invalid request, please check your server timestamp or recv_window param."],
  expired: [10002, "invalid request, please check your server timestamp or recv_window param."],
  no_permission: [10005, "Permission denied, please check your API key permissions."],
  insufficient: [170131, "Insufficient balance.", 110007],
  min_amount: [170136, "Order quantity exceeded lower limit.", 10001],
  min_cost: [170140, "Order value exceeded lower limit.", 110094],
  amount_step: [170137, "Order quantity has too many decimals.", 10001],
  price_step: [170134, "Order price has too many decimals.", 10001],
  unknown_market: [170121, "Invalid symbol.", 10001],
  closed_market: [170210, "New order rejected.", 110074],
  duplicate_id: [170141, "Duplicate clientOrderId", 110072],
  bad_id: [10001, "params error: The length of OrderLinkID is too long or it has illegal characters"],
  unknown_order: [170213, "Order does not exist.", 110001],
  not_open: [170213, "Order does not exist.", 110001],
  would_trigger: [170192, "Trigger price cannot be there.", 110092],
  bad_request: [10001, "params error"],
  wrong_mode: [110036, "Cross margin mode is not allowed to change leverage"],
  in_use: [3400045, "Set margin mode failed"],
  limited: [10006, "Too many visits. Exceeded the API Rate Limit."],
  banned: [10018, "Exceeded the IP Rate Limit."],
  busy: [10016, "Server error."],
  maintenance: [10019, "The service is restarting."],
  timeout: [170007, "Timeout waiting for response from backend server.", 10000]
}
