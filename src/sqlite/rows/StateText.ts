// A bot's state as its column holds it: what has not changed since it was written last is not encoded again.
import * as Schema from "effect/Schema"
import { BotState, Slot } from "../../domain/Bot.ts"

const slotText = Schema.encodeSync(Schema.parseJson(Slot))
const restText = Schema.encodeSync(Schema.parseJson(BotState.omit("slots")))

/** Slots are never changed, but replaced: a bot may have hundreds, and an event concerns one of them. */
const known = new WeakMap<Slot, string>()

const textOf = (slot: Slot): string => {
  const text = known.get(slot) ?? slotText(slot)
  known.set(slot, text)
  return text
}

/** The JSON of a state. Costs what has changed, and the copying of the rest. */
export const stateText = (state: BotState): string => {
  const slots = Object.entries(state.slots).map(([key, slot]) => `${JSON.stringify(key)}:${textOf(slot)}`)
  return `${restText(state).slice(0, -1)},"slots":{${slots.join(",")}}}`
}
