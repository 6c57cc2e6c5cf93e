// Today's loss against the daily limit.
import { lossText } from "./loss.ts"
import type { Armed } from "./mode.ts"

export const DayLoss = ({
  armed: { lost_today: lost, max_daily_loss: most },
  currency
}: {
  armed: Armed
  currency: string
}) => {
  const words = lossText(lost, most, currency)
  return (
    <div class="day-loss">
      <p>
        <span class="quiet">Lost today:</span> {words}
      </p>
      <meter
        aria-label="Lost today"
        aria-valuetext={words}
        min={0}
        max={most}
        low={most / 2}
        high={most * 0.8}
        optimum={0}
        value={Math.max(0, lost ?? 0)}
      />
    </div>
  )
}
