// Encodes a bot's state as JSON. Slots that have not changed since the last write are not encoded again.
import * as Schema from "effect/Schema"
import { BotState, Slot } from "../../domain/Bot.ts"
import { lazily } from "../../domain/internal/Lazily.ts"

const slotText = lazily(() => Schema.encodeSync(Schema.parseJson(Slot)))
const restText = lazily(() => Schema.encodeSync(Schema.parseJson(BotState.omit("slots"))))

/** The JSON of each slot. Slots are replaced, never changed: a bot may have hundreds, and an event concerns one. */
const known = new WeakMap<Slot, string>()

const textOf = (slot: Slot): string => {
  const text = known.get(slot) ?? slotText(slot)
  known.set(slot, text)
  return text
}

/** The JSON of a state. Costs what has changed, and a copy of the rest. */
export const stateText = (state: BotState): string => {
  const slots = Object.entries(state.slots).map(([key, slot]) => `${JSON.stringify(key)}:${textOf(slot)}`)
  return `${restText(state).slice(0, -1)},"slots":{${slots.join(",")}}}`
}
