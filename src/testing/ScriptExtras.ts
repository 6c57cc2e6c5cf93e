// The words of a script's line that say more than an alert's type and targets, such as `close_percent=40`.
import type { Extras } from "../domain/Alert.ts"
import type { TargetStep } from "../domain/position/Ladder.ts"

/** What a word says; undefined if it is no such word. */
export const extraIn = (word: string): Extras | undefined => {
  const [name, value = "", ...more] = word.split("=")
  if (more.length > 0 || value === "") return undefined
  const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined
  switch (name) {
    case "close_percent":
      return number === undefined ? undefined : { closePercent: number }
    case "buy_percentage":
      return number === undefined ? undefined : { buyPercentage: number }
    case "reverse":
      return value === "true" || value === "false" ? { reverse: value === "true" } : undefined
    case "tps":
      return ladderIn(value)
    default:
      return undefined
  }
}

/** A ladder such as `70@50,75@50`: prices, each with the percent that it closes. */
const ladderIn = (value: string): Extras | undefined => {
  const steps = value.split(",").flatMap((text): ReadonlyArray<TargetStep> => {
    const [, price, percent] = /^(\d+(?:\.\d+)?)@(\d+(?:\.\d+)?)$/.exec(text) ?? []
    return price === undefined ? [] : [{ price: Number(price), percent: Number(percent) }]
  })
  return steps.length === value.split(",").length ? { tps: steps } : undefined
}
