// Today's alerts (since midnight UTC) and their outcomes.
import { now } from "../clock.ts"
import { Reason } from "../parts/GuideLink.tsx"
import { Figure, Figures, Panel } from "../parts/PageHead.tsx"
import { times } from "../parts/reader/time.ts"
import { Count } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import type { Glance } from "./Glance.ts"
import { titleOf } from "./reasons.ts"

export const Today = ({ today }: { today: Glance["alerts_today"] }) => {
  const most = Math.max(1, ...today.outcomes.map(({ count }) => count))
  const sum = (outcome: "acted" | "ignored") =>
    today.outcomes.reduce((total, it) => total + (it.outcome === outcome ? it.count : 0), 0)
  return (
    <Panel title="Alerts today" actions={<a href={href("alerts")}>All alerts</a>}>
      <Figures>
        <Figure label="Received" note={sinceWhen()}>
          <Count value={today.received} />
        </Figure>
        <Figure label="Acted" note="one outcome per strategy">
          <Count value={sum("acted")} />
        </Figure>
        <Figure label="Ignored">
          <Count value={sum("ignored")} />
        </Figure>
        <Figure
          label="Refused"
          note={
            today.refused === 0 ? undefined : <a href={href("alerts", [], { tab: "refused" })}>see why</a>
          }
        >
          <Count value={today.refused} />
        </Figure>
      </Figures>
      {today.outcomes.length === 0 ? null : (
        <ul class="outcomes" aria-label="Outcomes of today’s alerts">
          {today.outcomes.map(({ count, outcome, reason }) => (
            <li key={reason}>
              <span class="outcome-name">
                <Reason reason={reason}>{titleOf(reason)}</Reason>{" "}
                <span class="quiet">{outcome === "acted" ? "acted" : "ignored"}</span>
              </span>
              <meter class={outcome} min={0} max={most} value={count} aria-hidden="true" />
              <Count value={count} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const DAY_SECONDS = 86_400

/** The count begins at midnight UTC, whatever zone the reader is in. */
const sinceWhen = (): string => {
  const here = times().label(Math.floor(now() / 1000 / DAY_SECONDS) * DAY_SECONDS, "time")
  return times().zone === "UTC" ? "since midnight UTC" : `since ${here}, which is midnight UTC`
}
