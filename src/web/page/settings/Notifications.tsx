// Settings, Notifications: the targets that events are sent to, with the state of their deliveries.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Badge, type Tone } from "../parts/Badge.tsx"
import { Confirm } from "../parts/Dialog.tsx"
import { words } from "../parts/format.ts"
import { Figure, Figures, Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { Count, Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import { Chats } from "./Chats.tsx"
import { type Notification, titleOf } from "./notification.ts"
import { useTest } from "./useTest.tsx"

/** No event reports a delivery, so refresh regularly. */
const EVERY_MS = 15_000
/** The server counts no further. */
const MOST_PENDING = 1_000

export const Notifications = () => {
  const targets = useQuery("notifications", (signal) => call("records", "notifications", { signal }), {
    everyMs: EVERY_MS
  })
  return (
    <>
      <div class="section-head">
        <p class="explain">
          Send events to your phone or your own program. A failed delivery is tried again for a day.
        </p>
        <a class="button primary" href={href("settings", ["notifications", "new"])}>
          Add a notification
        </a>
      </div>
      <Loaded query={targets}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No notifications yet">
              <p>To a chat, a phone or a program of yours: choose the events, and send a test.</p>
            </Empty>
          ) : (
            <>
              {data.map((it) => (
                <Target key={it.id} of={it} refetch={targets.refetch} />
              ))}
              <ChatsOf targets={data} />
              <p class="explain">
                A notification cannot be changed, because its address and secrets are never shown again: add
                another, and delete the old one.
              </p>
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** Only bots hear commands. */
const ChatsOf = ({ targets }: { targets: ReadonlyArray<Notification> }) => {
  const bots = targets.filter(({ kind }) => kind === "telegram")
  return bots.length === 0 ? null : <Chats bots={bots} />
}

const STATES: Readonly<Record<Notification["state"], readonly [tone: Tone, words: string]>> = {
  working: ["good", "working"],
  failing: ["warn", "failing"],
  disabled: ["bad", "switched off"]
}

const Target = ({ of, refetch }: { of: Notification; refetch: () => void }) => {
  const { button, message } = useTest({ of, onTested: refetch })
  const [isAsking, setAsking] = useState(false)
  const [tone, state] = STATES[of.state]
  return (
    <Panel title={of.name} actions={<Badge tone={tone}>{state}</Badge>}>
      <p>
        {titleOf(of.kind)} to <code>{of.to}</code>
      </p>
      <Figures>
        <Figure label="Delivered" note={<Ago at={of.last_success_at} />}>
          <Count value={of.delivered} />
        </Figure>
        <Figure label="Waiting" note={of.next_try_at === null ? undefined : <Next at={of.next_try_at} />}>
          <Count value={of.pending} />
          {of.pending >= MOST_PENDING ? "+" : ""}
        </Figure>
        <Figure label="Given up">
          <Count value={of.given_up} />
        </Figure>
      </Figures>
      {of.last_failure === null || of.last_failure_at === null ? null : (
        <Notice tone={of.state === "working" ? "plain" : of.state === "failing" ? "warn" : "bad"}>
          Failed <Time at={of.last_failure_at} relative />: {of.last_failure}
          {of.state === "disabled" ? ". Nothing is sent until a test arrives." : ""}
        </Notice>
      )}
      <details>
        <summary>Sent {of.events.length === 1 ? "1 kind" : `${of.events.length} kinds`} of events</summary>
        <ul class="kinds">
          {of.events.map((kind) => (
            <li key={kind}>
              <span class="strong">{words(kind)}</span> <span class="explain">{__KIND_WORDS__[kind]}</span>
            </li>
          ))}
        </ul>
      </details>
      {message}
      <div class="actions">
        {button}
        <button type="button" class="button quiet-danger" onClick={() => setAsking(true)}>
          Delete
          <span class="hidden-words"> {of.name}</span>
        </button>
      </div>
      {isAsking ? (
        <Confirm
          title={`Delete ${of.name}?`}
          action="Delete"
          onConfirm={async () => {
            await call("notifications", "remove", { path: { id: of.id } })
            toast(`${of.name} is deleted.`)
            refetch()
          }}
          onClose={() => setAsking(false)}
        >
          <p>Nothing more is sent to it, not even what waits. This cannot be undone.</p>
        </Confirm>
      ) : null}
    </Panel>
  )
}

const Ago = ({ at }: { at: number | null }) =>
  at === null ? (
    <>nothing yet</>
  ) : (
    <>
      last <Time at={at} relative />
    </>
  )

const Next = ({ at }: { at: number }) => (
  <>
    next try <Time at={at} relative />
  </>
)
