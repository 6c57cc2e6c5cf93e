// The Discover page's routes: the lists of what is public, and a page for each: `discover`, `discover?show=signals`,
// `discover/strategies/12`, `discover/signals/3`.
import { PageHead } from "../parts/PageHead.tsx"
import { Tabs } from "../parts/Tabs.tsx"
import { setQuery } from "../router.ts"
import type { PageProps } from "../routes.ts"
import { PublicSignal } from "./PublicSignal.tsx"
import { PublicStrategy } from "./PublicStrategy.tsx"
import { SignalList } from "./SignalList.tsx"
import { StrategyList } from "./StrategyList.tsx"
import { STRATEGY_FILTERS } from "./search.ts"

const TABS = [
  { key: "strategies", title: "Strategies" },
  { key: "signals", title: "Signals" }
] as const

export const Discover = ({ query, rest: [kind, id] }: PageProps) => {
  // An invalid number becomes NaN, and the server answers that there is no such record.
  if (id !== undefined)
    return kind === "signals" ? <PublicSignal id={Number(id)} /> : <PublicStrategy id={Number(id)} />
  const shown = query["show"] === "signals" ? "signals" : "strategies"
  return (
    <>
      <PageHead
        title="Discover"
        lead="What others on this server have published: strategies to copy and signals to follow."
      />
      <Tabs
        label="What is public"
        tabs={TABS}
        shown={shown}
        onShow={(key) => setQuery({ ...NO_FILTER, show: key === "signals" ? key : undefined })}
      >
        {shown === "signals" ? <SignalList query={query} /> : <StrategyList query={query} />}
      </Tabs>
    </>
  )
}

/** The two lists are searched and sorted differently. */
const NO_FILTER = Object.fromEntries([...STRATEGY_FILTERS, "sort"].map((name) => [name, undefined]))
