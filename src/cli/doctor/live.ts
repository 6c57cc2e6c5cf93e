// Checks trading with real money: halts in effect, and armed strategies without a running server.
import type { Checkup } from "../../sqlite/Checkup.ts"
import { moment, plain } from "../program/table.ts"
import { type Check, GUIDE, ok, type Say, warn } from "./Check.ts"

/** One check for each halt, and one for armed strategies; none if there are neither. */
export const live = (
  { armed, halts }: Pick<Checkup, "armed" | "halts">,
  isServed: boolean,
  say: Say
): ReadonlyArray<Check> => [
  ...halts.map(({ account, at, text }) => {
    const whose = account === null ? "everybody" : `account ${plain(account)}`
    const end = account === null ? "resume" : `resume --account ${account}`
    return warn(
      "halt",
      `entries of ${whose} are halted since ${moment(at / 1000)} UTC: ${plain(text)}`,
      `to end the halt: ${say(end)}`,
      GUIDE.halted
    )
  }),
  ...(armed.length === 0 ? [] : [trading(armed, isServed, say)])
]

const trading = (armed: ReadonlyArray<number>, isServed: boolean, say: Say): Check => {
  const which = armed.length === 1 ? `strategy ${armed[0]} trades` : `strategies ${armed.join(", ")} trade`
  const text = `${which} with real money`
  return isServed
    ? ok("live", `${text}; for more: ${say("strategy list")}`)
    : warn(
        "live",
        `${text}, and no server manages their open positions`,
        `start it: ${say("serve")}`,
        GUIDE.database
      )
}
