// The Overview page: everything of the account at a glance, refreshed on events and every few seconds.
import { useAccounts } from "../accounts.ts"
import { call } from "../client.ts"
import { agree } from "../clock.ts"
import type { Happening } from "../live.ts"
import * as Format from "../parts/format.ts"
import { PageHead } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { useQuery } from "../query.ts"
import type { PageProps } from "../routes.ts"
import { Currencies } from "./Currencies.tsx"
import { FirstSteps } from "./FirstSteps.tsx"
import type { Glance } from "./Glance.ts"
import { HaltButton } from "./HaltButton.tsx"
import { Health, HealthWarnings } from "./Health.tsx"
import { Positions } from "./Positions.tsx"
import { Today } from "./Today.tsx"

/** How often prices of open positions are refreshed. */
const EVERY_MS = 5_000

const concerns = ({ kind }: Happening) => kind !== "test"

const fetchOverview = async (signal: AbortSignal): Promise<Glance> => {
  const glance = await call("dashboard", "overview", { signal })
  agree(glance.now)
  return glance
}

export const Overview = ({ query }: PageProps) => {
  const glance = useQuery("overview", fetchOverview, {
    on: concerns,
    everyMs: EVERY_MS
  })
  return (
    <>
      <PageHead title="Overview" lead={glance.data === undefined ? undefined : leadOf(glance.data)}>
        <HaltButton />
      </PageHead>
      <Loaded query={glance}>
        {(data) => <Board glance={data} currency={query["currency"]} refetch={glance.refetch} />}
      </Loaded>
    </>
  )
}

interface Props {
  readonly glance: Glance
  readonly currency: string | undefined
  readonly refetch: () => void
}

const Board = ({ glance, currency, refetch }: Props) => {
  // Fetch exchange accounts only if something trades with real money.
  const isLive = [...glance.currencies, ...glance.positions].some(({ account }) => account !== null)
  const accounts = useAccounts(isLive).data?.data
  return (
    <>
      <HealthWarnings glance={glance} />
      {glance.signals.total === 0 || glance.strategies.total === 0 || glance.currencies.length === 0 ? (
        <FirstSteps glance={glance} />
      ) : (
        <Currencies all={glance.currencies} accounts={accounts} shown={currency} />
      )}
      <Positions
        positions={glance.positions}
        accounts={accounts}
        refetch={refetch}
        total={glance.positions_total}
      />
      <div class="columns">
        <Today today={glance.alerts_today} />
        <Health glance={glance} />
      </div>
    </>
  )
}

const leadOf = ({ signals, strategies }: Glance) =>
  `${Format.count(strategies.active)} of ${Format.counted(strategies.total, "strategy", "strategies")} and ${Format.count(signals.active)} of ${Format.counted(signals.total, "signal", "signals")} switched on`
