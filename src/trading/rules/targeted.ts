// Whether a position holds targets of an alert, a tp or a ladder: they replace the strategy's own take profit, steps and
// trailing sell, and open the profit gate of closing alerts.
import type { Position } from "../../domain/Position.ts"
import type { Targets } from "./entry.ts"

/** Whether a position has a target of its alert. */
export const isTargeted = ({ ladder, tp }: Pick<Position, "ladder" | "tp">): boolean =>
  tp !== undefined || ladder !== undefined

/** The targets alone, as stored values have them: a target that is not given is absent. */
export const targetsOf = ({ sl, tp, tps }: Targets) => ({
  ...(tp === undefined ? {} : { tp }),
  ...(sl === undefined ? {} : { sl }),
  ...(tps === undefined ? {} : { tps })
})
