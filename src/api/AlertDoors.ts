// What the two alert operations are known by. They are answered beside the rest of the contract, before it is loaded.
import type { Done } from "./shared/Paging.ts"
import type { AccessRule } from "./shared/Security.ts"

export const CHARTING_PATH = "/v1/signals/charting"
export const ALERT_PATH = "/v1/signals/alert"

/** The name of each in the contract, and what it asks of its caller. */
export const CHARTING: Known = {
  operation: "charting.charting",
  access: { scope: "alerts", bucket: "charting" }
}
export const ALERT: Known = { operation: "alert.alert", access: { scope: "alerts", bucket: "alert" } }

interface Known {
  readonly operation: string
  readonly access: AccessRule
}

/** What both alert operations answer, to the first sending and to every repeat of it. */
export const RECEIVED: Done = { type: "success", message: "the alert is stored and will be acted on" }

/** The answer to an alert that has `test` set. */
export const TESTED: Done = { type: "success", message: "a test: nothing was stored, ordered or changed" }
