// The record of a public strategy: what its trades made since publication and over all its life, and how old it is.
import { Badge } from "../parts/Badge.tsx"
import { GuidePage } from "../parts/GuideLink.tsx"
import { Figure, Figures, Panel } from "../parts/PageHead.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Count, Percent, Time } from "../parts/Value.tsx"
import { Published } from "./Published.tsx"
import { agoText, type Detail, levelBadge } from "./record.ts"
import { ModeBadge, Standings } from "./Standings.tsx"

export const RecordPanel = ({ detail }: { detail: Detail }) => {
  const { copies, publisher, record } = detail
  const [tone, words] = levelBadge(record.level)
  return (
    <Panel title="Record" actions={<Badge tone={tone}>{words}</Badge>}>
      {record.level === 0 ? (
        <Notice tone="warn">
          Too little has happened since it was published to tell skill from luck: less than 30 days, or fewer
          than 10 completed trades.
        </Notice>
      ) : null}
      <Figures>
        <Figure label="Return since published" note="of trades opened after that, net, one after the other">
          <Standings of={record.since_publication} />
        </Figure>
        <Figure label="Return of all trades" note="before publication and in earlier periods too">
          <Standings of={record.overall} />
        </Figure>
        <Figure label="Open positions" note="their result now, over the equity without them">
          <Percent value={record.open_pct} sign />
        </Figure>
        <Figure
          label="Trades on"
          note={
            <>
              since <Time at={record.since} />
            </>
          }
        >
          <ModeBadge mode={record.mode} />
        </Figure>
        <Figure label="Published" note="for the first time">
          {agoText(record.age_days)}
        </Figure>
        <Figure label="Copies" note="in other accounts">
          <Count value={copies} />
        </Figure>
      </Figures>
      <Published of={record} publisher={publisher} what="strategy" />
      <p class="explain">
        A record is what the ledger says: editing, renaming, hiding or re-arming a strategy improves nothing
        in it. <GuidePage page="public">What public means</GuidePage>.
      </p>
    </Panel>
  )
}
