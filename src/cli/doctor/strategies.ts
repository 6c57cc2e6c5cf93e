// Checks strategies that need their owner: set aside, or with settings or targets that are no longer accepted.
import type { Checkup } from "../../sqlite/Checkup.ts"
import { moment } from "../program/table.ts"
import { type Check, GUIDE, type Say, warn } from "./Check.ts"

/** One check for each such strategy. */
export const strategies = ({ oddities }: Pick<Checkup, "oddities">, say: Say): ReadonlyArray<Check> => [
  ...oddities.setAside.map(({ at, id, unlisted }) =>
    warn(
      "aside",
      `strategy ${id} is set aside since ${moment(at / 1000)} UTC: its bot does nothing`,
      unlisted === 1
        ? "the server does not list one of its exchanges or its currency: start one that does, or change its settings"
        : `change its settings; or start the server with: ${say(`serve --with-strategy ${id}`)}`,
      GUIDE.aside
    )
  ),
  ...oddities.settings.map(({ id, violations }) =>
    warn(
      "bounds",
      `strategy ${id} has settings that are no longer accepted: ${violations.map(({ field, text }) => `${field} ${text}`).join("; ")}`,
      "it keeps running; the owner must correct them at the next change",
      GUIDE.bounds
    )
  ),
  ...(oddities.targets.length === 0
    ? []
    : [
        warn(
          "targets",
          `${oddities.targets.length === 1 ? "strategy" : "strategies"} ${oddities.targets.join(", ")} hold a tp or sl above 1e12, which no price reaches`,
          "send an entry alert with a new tp and sl to replace them",
          GUIDE.targets
        )
      ])
]
