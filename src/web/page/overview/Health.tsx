// Notices about anything that keeps the server from trading, and the panel about prices, storage and nodes.
import type { ComponentChildren } from "preact"
import { Badge, type Tone } from "../parts/Badge.tsx"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import type { Glance } from "./Glance.ts"
import { DarkPartitions, Nodes } from "./Nodes.tsx"

type Feed = Glance["prices"]["feeds"][number]

/** Free disk space below this is reported. */
const LITTLE_ROOM_BYTES = 500_000_000

/** Notices about what prevents trading now; nothing if all is well. */
export const HealthWarnings = ({ glance: { cluster, now, prices, storage } }: { glance: Glance }) => (
  <div class="notices">
    {storage.is_writable ? null : (
      <Notice tone="bad">
        Nothing can be stored: alerts are refused until the disk can be written to again. The server’s log has
        the reason.
      </Notice>
    )}
    {prices.feeds
      .filter(({ state }) => state === "unreachable")
      .map((feed) => (
        <Notice key={feed.exchange} tone="warn">
          No prices from {feed.exchange} for {Format.duration(now - feed.since)}
          {feed.reason === "" ? "" : `: ${feed.reason}`}. Positions there are not watched until prices return.
        </Notice>
      ))}
    <DarkPartitions cluster={cluster} />
    {isLittle(storage.free_bytes) ? (
      <Notice tone="warn">
        Only {Format.bytes(storage.free_bytes)} are left on the disk of the database.
      </Notice>
    ) : null}
  </div>
)

const isLittle = (bytes: number | null) => bytes !== null && bytes < LITTLE_ROOM_BYTES

const STATES: Readonly<Record<Feed["state"], readonly [tone: Tone, words: string]>> = {
  streaming: ["good", "streaming"],
  polling: ["warn", "polling"],
  connecting: ["warn", "connecting"],
  unreachable: ["bad", "unreachable"]
}

/** The state of prices and storage, and of the servers that share the database. */
export const Health = ({ glance: { cluster, prices, storage } }: { glance: Glance }) => (
  <Panel title="Health">
    <ul class="facts">
      <Fact name="Prices">
        {prices.feeds.length === 0 ? prices.describe : null}
        {prices.feeds.map((feed) => (
          <Line key={feed.exchange} feed={feed} />
        ))}
      </Fact>
      <Fact name="Storage">
        <Badge tone={storage.is_writable ? "good" : "bad"}>
          {storage.is_writable ? "writable" : "not writable"}
        </Badge>{" "}
        {storage.database_bytes === null ? "" : Format.bytes(storage.database_bytes)}
        {storage.free_bytes === null ? "" : `, ${Format.bytes(storage.free_bytes)} free`}
      </Fact>
      {storage.undecided_alerts === null || storage.waiting_alerts === null ? null : (
        <Fact name="Pending alerts">
          {storage.undecided_alerts + storage.waiting_alerts === 0
            ? "none"
            : `${storage.undecided_alerts} to be decided, ${storage.waiting_alerts} waiting for a price or an order`}
        </Fact>
      )}
      {cluster === null ? null : (
        <Fact name="Nodes">
          <Nodes nodes={cluster.nodes} />
        </Fact>
      )}
    </ul>
  </Panel>
)

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <li>
    <span class="quiet">{name}</span>
    <div>{children}</div>
  </li>
)

const Line = ({ feed }: { feed: Feed }) => {
  const [tone, words] = STATES[feed.state]
  return (
    <p>
      <span class="strong">{feed.exchange}</span> <Badge tone={tone}>{words}</Badge>{" "}
      <span class="quiet">
        {feed.markets} {feed.markets === 1 ? "market" : "markets"}
        {feed.stale === 0 ? "" : `, ${feed.stale} without a fresh price`}, since{" "}
        <Time at={feed.since} relative />
      </span>
    </p>
  )
}
