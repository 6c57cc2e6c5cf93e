import * as Format from "../../parts/format.ts"
import type { Armed } from "./mode.ts"

/** What the day has lost of what it may. */
export const Loss = ({
  armed: { lost_today: lost, max_daily_loss: most },
  currency
}: {
  armed: Armed
  currency: string
}) => {
  const words = lossText(lost, most, currency)
  return (
    <div class="loss">
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

/** The loss of a day (negative for a gain) against what it may be. */
export const lossText = (lost: number | null, most: number, currency: string): string => {
  const limit = `may lose ${Format.money(most, currency)}`
  if (lost === null) return `not known without prices; a day ${limit}`
  if (lost > 0) return `${Format.money(lost, currency)} of ${Format.money(most, currency)}`
  return lost === 0
    ? `nothing; a day ${limit}`
    : `nothing, up by ${Format.money(-lost, currency)}; a day ${limit}`
}
