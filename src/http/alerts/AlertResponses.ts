// The response bodies of the alert doors, as JSON text: received, understood, tested.
import * as Option from "effect/Option"
import { RECEIVED, TESTED } from "../../api/AlertOperations.ts"
import type { Tested as TestedBody, Understood } from "../../api/Alerts.ts"
import { extrasView } from "../../api/shared/Instruction.ts"
import type { Identity } from "../../domain/Account.ts"
import { outcomeOf } from "../../domain/Alert.ts"
import type { Reading } from "../../domain/alert/AlertReading.ts"
import type { Tested } from "../../services/Alerts.ts"

/** The body for a stored alert. */
export const RECEIVED_JSON = JSON.stringify(RECEIVED)

/** The address of an alert: the same for the first sending and every repeat. */
export const locationOf = (id: number): string => `/v1/alerts/${id}`

const understood = ({ fields, request }: Reading): Understood => {
  const { coin, eitherSide, growth, quoteCurrency, signalId, sl, tp, type } = request.instruction
  return {
    signal_id: signalId,
    coin,
    quote_currency: quoteCurrency,
    type,
    tp: Option.getOrNull(tp),
    sl: Option.getOrNull(sl),
    ...extrasView(request.instruction),
    growth_percent: growth === undefined ? null : growth * 100,
    either_side: eitherSide === true,
    fields,
    sent_again: request.id !== undefined ? "id" : request.timed ? "time" : null,
    warnings: request.warnings
  }
}

/** The reading of an alert, as JSON. */
export const understoodJson = (reading: Reading): string => JSON.stringify(understood(reading))

/**
 * The effect that a test alert would have, as JSON. Steps show balances, so they are left out for a token of alert
 * scope, which may be in an address.
 */
export const testedJson = ({ outcomes, reading }: Tested, { scope }: Identity): string => {
  const body: TestedBody = {
    ...TESTED,
    test: true,
    alert: understood(reading),
    outcomes: outcomes.map(({ name, reason, steps, strategy, text }) => ({
      strategy_id: strategy,
      name,
      outcome: reason === undefined ? "waits" : outcomeOf(reason),
      reason: reason ?? null,
      text,
      steps: scope === "full" ? steps : []
    }))
  }
  return JSON.stringify(body)
}
