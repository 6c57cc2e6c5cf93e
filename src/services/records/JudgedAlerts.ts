// Which strategies judged which alerts.
import type { AlertId } from "../../domain/Alert.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"

/** Groups strategies by the alerts that they judged. */
export const byAlert = (
  pairs: Iterable<{ readonly alertId: AlertId; readonly strategyId: StrategyId }>
): ReadonlyMap<AlertId, ReadonlySet<StrategyId>> => {
  const judged = new Map<AlertId, Set<StrategyId>>()
  for (const { alertId, strategyId } of pairs) {
    const known = judged.get(alertId)
    if (known === undefined) judged.set(alertId, new Set([strategyId]))
    else known.add(strategyId)
  }
  return judged
}
