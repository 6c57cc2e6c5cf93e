// The Alerts page: received alerts with their outcomes, and refused requests.
import { PageHead } from "../parts/PageHead.tsx"
import { Tabs } from "../parts/Tabs.tsx"
import { setQuery } from "../router.ts"
import type { PageProps } from "../routes.ts"
import { Received } from "./Received.tsx"
import { Refused } from "./Refused.tsx"

const TABS = [
  { key: "received", title: "Received" },
  { key: "refused", title: "Refused" }
] as const

export const Alerts = ({ query, rest }: PageProps) => {
  const shown = query["tab"] === "refused" ? "refused" : "received"
  return (
    <>
      <PageHead
        title="Alerts"
        lead="Every alert that arrived, how it was understood, and what each strategy did."
      />
      <Tabs
        label="Alerts"
        tabs={TABS}
        shown={shown}
        onShow={(tab) => setQuery({ tab: tab === "received" ? undefined : tab })}
      >
        {shown === "received" ? <Received query={query} first={rest[0]} /> : <Refused />}
      </Tabs>
    </>
  )
}
