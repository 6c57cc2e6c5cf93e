// The list of the account's signals, or an introduction if there are none.
import { Badge } from "../parts/Badge.tsx"
import { PageHead, Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Time } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import { Switch } from "./Switch.tsx"
import { counted, type Signal, useFollowers, useSignals } from "./signal.ts"

export const SignalList = () => {
  const signals = useSignals()
  const followers = useFollowers()
  const columns: ReadonlyArray<Column<Signal>> = [
    {
      key: "name",
      title: "Signal",
      sort: ({ name }) => name.toLowerCase(),
      cell: (it) => (
        <span class="signal-name">
          <a href={href("signals", [it.id])}>{it.name}</a>
          {it.description === "" ? null : <span class="explain">{it.description}</span>}
        </span>
      )
    },
    {
      key: "state",
      title: "State",
      sort: ({ active }) => (active ? 1 : 0),
      cell: (it) => <State of={it} />
    },
    {
      key: "followers",
      title: "Followed by",
      sort: ({ id }) => followers(id)?.length,
      cell: ({ id }) => {
        const known = followers(id)
        if (known === undefined) return <span class="quiet">–</span>
        return known.length === 0 ? (
          <span class="quiet">no strategy</span>
        ) : (
          counted(known.length, "strategy", "strategies")
        )
      }
    },
    {
      key: "changed",
      title: "Changed",
      wide: true,
      sort: (it) => it.updated_at,
      cell: (it) => <Time at={it.updated_at} relative />
    },
    {
      key: "switch",
      title: "Switch",
      cell: (it) => <Switch signal={it} followers={followers(it.id)} onDone={signals.refetch} small />
    }
  ]
  return (
    <>
      <PageHead title="Signals" lead="Named sources of buy and sell alerts, which strategies follow.">
        <a class="button primary" href={href("signals", ["new"])}>
          New signal
        </a>
      </PageHead>
      <Loaded query={signals}>
        {({ data }) =>
          data.length === 0 ? (
            <Newcomer />
          ) : (
            <Table
              label="Signals"
              columns={columns}
              rows={data}
              id={({ id }) => id}
              initial={{ by: "name", down: false }}
            />
          )
        }
      </Loaded>
    </>
  )
}

/** Badges: whether a signal takes alerts, and whether it is public. */
export const State = ({ of }: { of: Signal }) => (
  <span class="badges">
    <Badge tone={of.active ? "good" : "warn"}>{of.active ? "On" : "Off: refuses alerts"}</Badge>
    {of.public ? <Badge tone="accent">Public</Badge> : null}
    {of.has_rule === true ? <Badge>Rule</Badge> : null}
  </span>
)

/** Explains signals to a newcomer. */
const Newcomer = () => (
  <Panel title="What a signal is">
    <div class="prose">
      <p>
        A signal is a named source of alerts, such as “Trend on the 15-minute chart”. A charting platform, a
        script or you yourself send alerts to it: buy this, sell that. By itself a signal does nothing.
      </p>
      <p>
        Strategies follow a signal and decide what to do with each alert: how much to buy, whether to wait,
        when to sell. Many strategies can follow one signal.
      </p>
      <ol class="steps-to">
        <li>Create a signal and give it a name.</li>
        <li>On its page, make a webhook address, and paste it with a message into your charting platform.</li>
        <li>Send a test alert: it shows what every strategy would do, without doing it.</li>
        <li>Create a strategy that follows it.</li>
      </ol>
    </div>
    <div class="actions">
      <a class="button primary" href={href("signals", ["new"])}>
        Create the first signal
      </a>
    </div>
  </Panel>
)
