// The page of a public signal: who publishes it, since when, and the way to follow it.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { Figure, Figures, PageHead, Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { Count, Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { FollowDialog } from "./FollowDialog.tsx"
import { Foreign } from "./Foreign.tsx"
import { harmless } from "./foreign.ts"
import { Published } from "./Published.tsx"
import { Publisher } from "./Publisher.tsx"
import type { SignalLine } from "./record.ts"
import { Vanished } from "./Vanished.tsx"

const EVERY_MS = 30_000

export const PublicSignal = ({ id }: { id: number }) => {
  const query = useQuery(
    `public signal ${id}`,
    (signal) => call("public", "signal", { path: { id }, signal }),
    { everyMs: EVERY_MS }
  )
  if (query.problem?.status === 404) return <Vanished what="signal" />
  return <Loaded query={query}>{(signal) => <Shown signal={signal} />}</Loaded>
}

const Shown = ({ signal }: { signal: SignalLine }) => {
  const { created_at, description, followers, id, name, publisher } = signal
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <PageHead
        title={harmless(name)}
        lead={description === "" ? undefined : <Foreign text={description} most={120} />}
      >
        <button type="button" class="button primary" onClick={() => setOpen(true)}>
          Follow…
        </button>
      </PageHead>
      <p class="lead about-strategy">
        <Badge tone="accent">Public signal</Badge>
        <span>
          By <Publisher of={publisher} />
        </span>
        <span>Signal {id}</span>
      </p>
      <Panel title="Publication">
        <Figures>
          <Figure label="Followers" note="other accounts with a strategy that follows it">
            <Count value={followers} />
          </Figure>
          <Figure label="Made">
            <Time at={created_at} />
          </Figure>
        </Figures>
        <Published of={signal} publisher={publisher} what="signal" />
      </Panel>
      <Panel title="What following means">
        <ul class="bullets">
          <li>
            Every alert that its owner sends to it reaches your strategy, which decides by its own settings.
          </li>
          <li>You see what your strategy did with each alert. Only the owner can send, change or delete.</li>
          <li>
            When the owner makes it private or deletes it, your strategy loses it at once: open positions
            stay, and are closed by your strategy’s own exits.
          </li>
        </ul>
      </Panel>
      {isOpen ? <FollowDialog id={id} name={name} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
