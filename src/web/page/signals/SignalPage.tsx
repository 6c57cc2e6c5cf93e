// A signal's page: webhook address, messages, a test, and the last alerts. Others see only its name and state.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Confirm } from "../parts/Dialog.tsx"
import { PageHead, Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"
import { go } from "../router.ts"
import { href } from "../routes.ts"
import { LastAlerts } from "./LastAlerts.tsx"
import { Messages } from "./Messages.tsx"
import { RuleChartPanel } from "./rule/RuleChartPanel.tsx"
import { RulePanel } from "./rule/RulePanel.tsx"
import { State } from "./SignalList.tsx"
import { Switch } from "./Switch.tsx"
import { counted, type Follower, type Signal, useFollowers, useSignals } from "./signal.ts"
import { TryAlert } from "./TryAlert.tsx"
import { Webhook } from "./Webhook.tsx"

export const SignalPage = ({ id }: { id: number }) => {
  const signal = useQuery(`signal ${id}`, (abort) =>
    call("records", "signal", { path: { id }, signal: abort })
  )
  const own = useSignals()
  const followers = useFollowers()(id)
  if (signal.data === undefined)
    return (
      <>
        <PageHead title="Signal" />
        <Loaded query={signal}>{() => null}</Loaded>
        <p>
          <a href={href("signals")}>All signals</a>
        </p>
      </>
    )
  // Everybody may read a public signal; only its owner sees the rest.
  const isOwn = own.data?.data.some((it) => it.id === id)
  return (
    <>
      <PageHead title={signal.data.name} lead={signal.data.description}>
        {isOwn === true ? (
          <Deeds signal={signal.data} followers={followers} onChange={signal.refetch} />
        ) : undefined}
      </PageHead>
      <p class="badges">
        <State of={signal.data} />
        <Followers of={followers} signal={id} />
      </p>
      {isOwn === false ? (
        <Notice>
          This is a public signal of another account: your strategies can follow it (as signal {id}), but only
          its owner can send alerts to it. <a href={href("discover", ["signals", id])}>Who publishes it</a>
        </Notice>
      ) : null}
      {isOwn === true ? <Own signal={signal.data} /> : null}
    </>
  )
}

const Own = ({ signal }: { signal: Signal }) => {
  const { id } = signal
  const template = useQuery(`template ${id}`, (abort) =>
    call("records", "template", { path: { id }, signal: abort })
  )
  return (
    <>
      {signal.active ? null : <Notice tone="warn">This signal is off: every alert to it is refused.</Notice>}
      <div class="columns signal-columns">
        <Panel title="Webhook address">
          <Loaded query={template}>{(it) => <Webhook template={it} />}</Loaded>
        </Panel>
        <Panel title="Messages to paste">
          <Loaded query={template}>{(it) => <Messages template={it} />}</Loaded>
        </Panel>
      </div>
      {signal.rule === undefined ? null : (
        <>
          <RulePanel rule={signal.rule} signal={id} status={signal.rule_status} />
          <RuleChartPanel rule={signal.rule} signal={id} />
        </>
      )}
      <TryAlert signal={signal} />
      <LastAlerts signal={id} />
    </>
  )
}

const Followers = ({ of, signal }: { of: ReadonlyArray<Follower> | undefined; signal: number }) => {
  if (of === undefined) return null
  if (of.length === 0)
    return (
      <span class="quiet">
        No strategy of yours follows it yet: <a href={href("strategies", ["new"], { signal })}>create one</a>.
      </span>
    )
  return (
    <span class="quiet">
      Followed by{" "}
      {of.slice(0, 5).map(({ strategy_id, name }, index) => (
        <span key={strategy_id}>
          {index === 0 ? "" : ", "}
          <a href={href("strategy", [strategy_id])}>{name}</a>
        </span>
      ))}
      {of.length > 5 ? ` and ${of.length - 5} more` : ""}
    </span>
  )
}

/** The actions on a signal. */
const Deeds = ({
  signal,
  followers,
  onChange
}: {
  signal: Signal
  followers: ReadonlyArray<Follower> | undefined
  onChange: () => void
}) => {
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <Switch signal={signal} followers={followers} onDone={onChange} />
      <a class="button" href={href("signals", [signal.id, "edit"])}>
        Edit
      </a>
      <button type="button" class="button quiet-danger" onClick={() => setDeleting(true)}>
        Delete
      </button>
      {deleting ? (
        <Confirm
          title={`Delete ${signal.name}?`}
          action="Delete for ever"
          onConfirm={async () => {
            await call("signals", "remove", { path: { id: signal.id } })
            toast(`${signal.name} is deleted.`)
            go(href("signals"))
          }}
          onClose={() => setDeleting(false)}
        >
          <p>This cannot be undone. Alerts that are sent to its address from now on are refused.</p>
          {followers === undefined || followers.length === 0 ? (
            <p>None of your strategies follows it.</p>
          ) : (
            <>
              <p>
                {counted(followers.length, "strategy loses its signal", "strategies lose their signal")}: no
                alert opens or closes positions for them any more. Open positions stay open, and their own
                exits go on.
              </p>
              <ul class="bullets">
                {followers.slice(0, 8).map(({ strategy_id, name }) => (
                  <li key={strategy_id}>{name}</li>
                ))}
                {followers.length > 8 ? <li>and {followers.length - 8} more</li> : null}
              </ul>
            </>
          )}
          {signal.public ? <p>Strategies of other accounts that follow it lose it too.</p> : null}
          <p>Earlier alerts stay on the Alerts page.</p>
        </Confirm>
      ) : null}
    </>
  )
}
