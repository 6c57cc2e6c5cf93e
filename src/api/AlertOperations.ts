// Paths, names and answers of the two alert operations. They are served without the rest of the contract, which takes
// longer to load.
import type { Done } from "./shared/Paging.ts"
import type { AccessRule } from "./shared/Security.ts"

export const CHARTING_PATH = "/v1/signals/charting"
export const ALERT_PATH = "/v1/signals/alert"

/** Each operation's name in the contract, and the access that it requires. */
export const CHARTING: Known = {
  operation: "charting.charting",
  access: { scope: "alerts", bucket: "charting" }
}
export const ALERT: Known = { operation: "alert.alert", access: { scope: "alerts", bucket: "alert" } }

interface Known {
  readonly operation: string
  readonly access: AccessRule
}

/** The answer of both alert operations, to an alert and to every repeat of it. */
export const RECEIVED: Done = { type: "success", message: "the alert is stored and will be acted on" }

/** The answer to an alert with `test` set. */
export const TESTED: Done = { type: "success", message: "a test: nothing was stored, ordered or changed" }
