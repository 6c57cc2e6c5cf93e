// Whether a position holds targets of an alert, a tp or a ladder: they replace the strategy's own take profit, steps and
// trailing sell, and open the profit gate of closing alerts.
import type { Position } from "../../domain/Position.ts"

export const isTargeted = ({ ladder, tp }: Pick<Position, "ladder" | "tp">): boolean =>
  tp !== undefined || ladder !== undefined
