import type { Checkup } from "../../sqlite/Checkup.ts"
import { moment } from "../program/table.ts"
import { type Check, type Say, warn } from "./Check.ts"

/** Strategies that their owner should look at: nothing where all is as it should be. */
export const strategies = ({ oddities }: Pick<Checkup, "oddities">, say: Say): ReadonlyArray<Check> => [
  ...oddities.setAside.map(({ at, id }) =>
    warn(
      "aside",
      `strategy ${id} is set aside since ${moment(at / 1000)} UTC: its bot does nothing`,
      `change its settings; or start the server with: ${say(`serve --with-strategy ${id}`)}`
    )
  ),
  ...oddities.settings.map(({ id, violations }) =>
    warn(
      "bounds",
      `strategy ${id} holds what is not taken any more: ${violations.map(({ field, text }) => `${field} ${text}`).join("; ")}`,
      "it goes on as it is; set these anew when its owner changes it next"
    )
  ),
  ...(oddities.targets.length === 0
    ? []
    : [
        warn(
          "targets",
          `a tp or sl above 1e12 is held by ${oddities.targets.length === 1 ? "strategy" : "strategies"} ${oddities.targets.join(", ")}: no price reaches it`,
          "send an entry alert with a tp and sl of its own, which replace those that are held"
        )
      ])
]
