// Decodes an alert and reports where each of its fields came from: the name, and whether from the body or the URL. For
// testing an alert before it is used.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { SignalId } from "../Signal.ts"
import * as AlertBody from "./AlertBody.ts"
import { EXTRA_NAMES } from "./AlertExtras.ts"
import * as AlertNames from "./AlertNames.ts"
import type { Pairs } from "./AlertPairs.ts"

/** One decoded field: its value, the known name it was read from, and whether that was in the body or the URL. */
export interface Understood {
  readonly field: Parameters<AlertBody.Listener>[0]
  readonly value: string | number | boolean
  readonly from: string
  readonly in: "body" | "address"
}

/** A decoded alert and the source of each field. */
export interface Reading {
  readonly request: AlertBody.AlertRequest
  readonly fields: ReadonlyArray<Understood>
}

/** Decodes an alert as `AlertBody.decode` does, with the source of each field. */
export const read = (
  source: AlertBody.AlertSource,
  pairs: (signal: SignalId) => Pairs | undefined
): Either.Either<Reading, AlertBody.AlertRefused> =>
  Either.gen(function* () {
    const origins = new Map<Understood["field"], string>()
    const fields = yield* AlertBody.fieldsOf(source)
    const request = yield* AlertBody.understand(fields, pairs, (field, from) => origins.set(field, from))
    const inBody = AlertNames.read(yield* AlertBody.fieldsOf({ ...source, query: "" }))
    const inAddress = AlertNames.read(yield* AlertBody.fieldsOf({ ...source, body: "" }))
    const { coin, quoteCurrency, signalId, sl, tp, tps, type } = request.instruction
    const values = {
      signal_id: signalId,
      coin,
      quote_currency: quoteCurrency,
      type,
      tp: Option.getOrUndefined(tp),
      sl: Option.getOrUndefined(sl),
      close_percent: request.instruction.closePercent,
      reverse: request.instruction.reverse,
      tps: tps === undefined ? undefined : JSON.stringify(tps),
      buy_percentage: request.instruction.buyPercentage
    }
    const readFields = FIELDS.flatMap((field) => {
      const [value, from] = [values[field], origins.get(field)]
      if (value === undefined || from === undefined) return []
      const place =
        AlertNames.nearness(inAddress, from) > AlertNames.nearness(inBody, from) ? "address" : "body"
      return [{ field, value, from, in: place } as const]
    })
    return { request, fields: readFields }
  })

const FIELDS = ["signal_id", "coin", "quote_currency", "type", "tp", "sl", ...EXTRA_NAMES] as const
