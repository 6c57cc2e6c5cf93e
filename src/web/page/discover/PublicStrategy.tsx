// The page of a public strategy: its record with the moment of publication, figures, curve and settings, and the way to
// copy it.
import { useState } from "preact/hooks"
import { statementOf } from "../../../domain/requests/StrategyStatement.ts"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { PageHead, Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import { bodyOf, formOf } from "../strategies/form.ts"
import { SettingsList } from "../strategy/SettingsList.tsx"
import { CopyDialog } from "./CopyDialog.tsx"
import { Foreign } from "./Foreign.tsx"
import { harmless } from "./foreign.ts"
import { Periods } from "./Periods.tsx"
import { Publisher } from "./Publisher.tsx"
import { RecordCurve } from "./RecordCurve.tsx"
import { RecordPanel } from "./RecordPanel.tsx"
import type { Detail } from "./record.ts"
import { asStored } from "./settings.ts"
import { Vanished } from "./Vanished.tsx"

const EVERY_MS = 30_000

export const PublicStrategy = ({ id }: { id: number }) => {
  const query = useQuery(
    `public strategy ${id}`,
    (signal) => call("public", "strategy", { path: { id }, signal }),
    { everyMs: EVERY_MS }
  )
  if (query.problem?.status === 404) return <Vanished what="strategy" />
  return <Loaded query={query}>{(detail) => <Shown detail={detail} />}</Loaded>
}

const Shown = ({ detail }: { detail: Detail }) => {
  const { description, name, publisher, record } = detail
  const [isOpen, setOpen] = useState(false)
  const stored = asStored(detail)
  return (
    <>
      <PageHead
        title={harmless(name)}
        lead={description === "" ? undefined : <Foreign text={description} most={500} />}
      >
        <button type="button" class="button primary" onClick={() => setOpen(true)}>
          Copy…
        </button>
      </PageHead>
      <p class="lead about-strategy">
        <Badge tone="accent">Public strategy</Badge>
        <span>
          By <Publisher of={publisher} />
        </span>
        <Followed detail={detail} />
      </p>
      <RecordPanel detail={detail} />
      <RecordCurve detail={detail} />
      <Periods detail={detail} />
      <Panel title="Settings in words">
        <p class="statement">{statementOf(bodyOf(formOf(stored))).join(" ")}</p>
        <p class="explain">
          With these settings since <Time at={record.settings_since} />.
        </p>
      </Panel>
      <SettingsList strategy={stored} signal={null} without={OWNERS} />
      {isOpen ? <CopyDialog detail={detail} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** What is the owner's own, or shown above. */
const OWNERS = ["name", "description", "active", "public", "signal_id"] as const

const Followed = ({ detail: { follows_signal, signal } }: { detail: Detail }) =>
  signal !== null ? (
    <span>
      Follows{" "}
      <a href={href("discover", ["signals", signal.id])}>
        <Foreign text={signal.name} />
      </a>
    </span>
  ) : follows_signal ? (
    <span>Follows a private signal</span>
  ) : (
    <span>Follows no signal</span>
  )
