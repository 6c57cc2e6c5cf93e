// Reads a file with a rule, or with a signal that has one, which may come from a stranger.
import * as Effect from "effect/Effect"
import { isFields } from "../../domain/requests/Form.ts"
import * as RuleReading from "../../domain/signalRule/RuleReading.ts"
import * as RecordFile from "../apply/RecordFile.ts"

/** The rule of a file, beside the value that it was read from; or everything that is wrong with it. */
export const read = Effect.fnUntraced(function* (file: string) {
  const [first, second] = yield* RecordFile.read(file)
  if (second !== undefined)
    return yield* new RecordFile.FileUnreadable({ message: "holds several records: one rule at a time" })
  const value = isFields(first?.["rule"]) ? first["rule"] : first
  return { value, read: RuleReading.read(value) }
})

/** The text at a field such as `on[0].tps[1].price`, if the value has one there. */
export const textAt = (value: unknown, field: string): string | undefined => {
  let found = value
  for (const step of field.split(/[.[\]]+/).filter((it) => it !== "")) found = childOf(found, step)
  return typeof found === "string" ? found : undefined
}

const childOf = (value: unknown, step: string): unknown => {
  if (Array.isArray(value)) return value[Number(step)]
  return isFields(value) && Object.hasOwn(value, step) ? value[step] : undefined
}
