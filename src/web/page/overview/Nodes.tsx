// The servers that share the database: a line for each, and a notice while some bots have no server.
import { Badge, type Tone } from "../parts/Badge.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import type { Glance } from "./Glance.ts"

type Cluster = Glance["cluster"]
type Node = NonNullable<Cluster>["nodes"][number]

const STATES: Readonly<Record<Node["state"], Tone>> = { running: "good", draining: "warn", lost: "bad" }

/** Says that bots stand still because no server runs them now; nothing if all is well. */
export const DarkPartitions = ({ cluster }: { cluster: Cluster }) =>
  cluster === null || cluster.dark_partitions === 0 ? null : (
    <Notice tone="warn">
      The bots of {cluster.dark_partitions} of 256 partitions stand still, because no server has them. After a
      server was lost, this lasts for up to 15 seconds.
    </Notice>
  )

/** The servers, by where the others reach them. */
export const Nodes = ({ nodes }: { nodes: ReadonlyArray<Node> }) => (
  <>
    {nodes.map((node) => (
      <p key={node.address}>
        <span class="strong">{node.address}</span> <Badge tone={STATES[node.state]}>{node.state}</Badge>{" "}
        <span class="quiet">
          {node.partitions} partitions
          {node.behind === 0 ? "" : `, ${node.behind} alerts to be decided`}, version {node.version}, seen{" "}
          <Time at={node.seen_at} relative />
        </span>
      </p>
    ))}
  </>
)
