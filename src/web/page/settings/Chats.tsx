// Settings, Notifications: chats that are paired with the account, and the code that pairs another one, shown once.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { CopyBlock } from "../parts/CopyButton.tsx"
import { Confirm, Dialog } from "../parts/Dialog.tsx"
import { GuidePage, ProblemNotice } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import type { Answer } from "../wire.ts"
import type { Notification } from "./notification.ts"

type Chat = Answer<"notifications", "chats">["data"][number]
type Invitation = Answer<"notifications", "pair">

/** A chat is paired by a message to the bot, so refresh regularly. */
const EVERY_MS = 5_000

/** `bots` are the Telegram notifications, whose bots hear commands. */
export const Chats = ({ bots }: { bots: ReadonlyArray<Notification> }) => {
  const chats = useQuery("chats", (signal) => call("notifications", "chats", { signal }), {
    everyMs: EVERY_MS
  })
  const [invitation, setInvitation] = useState<Invitation>()
  return (
    <Panel
      title="Commands from a chat"
      actions={<GuidePage page="notifications#commands-from-a-chat">More about commands</GuidePage>}
    >
      <p>
        A paired chat may read status, positions, trades and reasons, halt entries, switch a strategy off and
        close a position. Nothing that raises risk goes through a chat.
      </p>
      <Loaded query={chats}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="explain">No chat is paired yet.</p>
          ) : (
            <ul class="kinds">
              {data.map((chat) => (
                <Paired key={chat.id} of={chat} refetch={chats.refetch} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {bots.map((bot) => (
        <Pair key={bot.id} bot={bot} onCode={setInvitation} />
      ))}
      {invitation === undefined ? null : (
        <Code
          of={invitation}
          onClose={() => {
            setInvitation(undefined)
            chats.refetch()
          }}
        />
      )}
    </Panel>
  )
}

const Pair = ({ bot, onCode }: { bot: Notification; onCode: (code: Invitation) => void }) => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const pair = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      onCode(await call("notifications", "pair", { path: { id: bot.id } }))
    } catch (fault) {
      setProblem(Problem.of(fault))
    }
    setBusy(false)
  }
  return (
    <div class="actions">
      <button type="button" class="button" disabled={busy} onClick={pair}>
        Pair a chat<span class="hidden-words"> with the bot of {bot.name}</span>
      </button>
      <span class="explain">with the bot of {bot.name}</span>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
    </div>
  )
}

const Code = ({ of, onClose }: { of: Invitation; onClose: () => void }) => (
  <Dialog title="Pair a chat" onClose={onClose}>
    <p>
      Send this line to {of.bot === null ? "the bot" : `@${of.bot}`} within ten minutes. It counts once, and
      pairs you in that chat.
    </p>
    <CopyBlock label="Message to the bot" text={`/pair ${of.code}`} />
    {of.problem === null ? null : <Notice tone="warn">The bot’s name is not known: {of.problem}.</Notice>}
    <div class="actions">
      {of.link === null ? null : (
        <a class="button primary" href={of.link} target="_blank" rel="noreferrer">
          Open Telegram
        </a>
      )}
      <button type="button" class="button" onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
)

const Paired = ({ of, refetch }: { of: Chat; refetch: () => void }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <li>
      <span class="strong">{of.name}</span>{" "}
      <span class="explain">
        paired <Time at={of.paired_at} relative />
      </span>{" "}
      <button type="button" class="button small quiet-danger" onClick={() => setAsking(true)}>
        Unpair<span class="hidden-words"> {of.name}</span>
      </button>
      {isAsking ? (
        <Confirm
          title={`Unpair ${of.name}?`}
          action="Unpair"
          onConfirm={async () => {
            await call("notifications", "unpair", { path: { id: of.id } })
            toast(`${of.name} is paired no more.`)
            refetch()
          }}
          onClose={() => setAsking(false)}
        >
          <p>The chat reads and stops nothing any more. A new code pairs it again.</p>
        </Confirm>
      ) : null}
    </li>
  )
}
