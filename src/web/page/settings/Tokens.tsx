// Settings, Tokens: lists, creates and revokes the account's tokens.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { now } from "../clock.ts"
import { Badge } from "../parts/Badge.tsx"
import { Confirm } from "../parts/Dialog.tsx"
import { GuidePage } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { toast } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { leave } from "../signing.ts"
import { TokenForm } from "./TokenForm.tsx"
import { isExpired, type Token } from "./token.ts"

/** `own` is the token that this browser signed in with. */
export const Tokens = ({ own }: { own: number }) => {
  const tokens = useQuery("tokens", (signal) => call("records", "tokens", { signal }))
  const [asking, setAsking] = useState<Token>()
  return (
    <>
      <TokenForm onMade={tokens.refetch} />
      <Panel title="Your tokens" actions={<GuidePage page="webhooks#tokens">More about tokens</GuidePage>}>
        <p class="explain">
          Tokens let programs and webhooks act as you. Their secrets are stored nowhere: if you lose a token,
          revoke it and create another.
        </p>
        <Loaded query={tokens}>
          {({ data }) => (
            <Table label="Your tokens" columns={columnsOf(own, setAsking)} rows={data} id={({ id }) => id} />
          )}
        </Loaded>
      </Panel>
      {asking === undefined ? null : (
        <Revoke
          token={asking}
          isOwn={asking.id === own}
          onDone={tokens.refetch}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}

const columnsOf = (own: number, ask: (token: Token) => void): ReadonlyArray<Column<Token>> => [
  {
    key: "id",
    title: "Token",
    sort: ({ id }) => id,
    cell: (it) => (
      <span class="badges">
        <span>Token {it.id}</span>
        {it.id === own ? <Badge tone="accent">this session</Badge> : null}
        {isExpired(it, now()) ? <Badge tone="warn">expired</Badge> : null}
      </span>
    )
  },
  {
    key: "scope",
    title: "Scope",
    sort: ({ scope }) => scope,
    cell: ({ scope }) => <Badge tone={scope === "full" ? "warn" : "plain"}>{scope}</Badge>
  },
  {
    key: "made",
    title: "Created",
    sort: (it) => it.created_at,
    cell: (it) => (
      <>
        <Time at={it.created_at} relative />
        {it.made_by === null ? null : <span class="quiet"> with token {it.made_by}</span>}
      </>
    )
  },
  {
    key: "used",
    title: "Last used",
    sort: (it) => it.last_used_at,
    cell: (it) =>
      it.last_used_at === null ? <span class="quiet">never</span> : <Time at={it.last_used_at} relative />
  },
  {
    key: "expires",
    title: "Expires",
    sort: (it) => it.expires_at,
    cell: (it) =>
      it.expires_at === null ? <span class="quiet">never</span> : <Time at={it.expires_at} relative />
  },
  {
    key: "revoke",
    title: "Revoke",
    cell: (it) => (
      <button type="button" class="button small quiet-danger" onClick={() => ask(it)}>
        Revoke
        <span class="hidden-words"> token {it.id}</span>
      </button>
    )
  }
]

interface RevokeProps {
  readonly token: Token
  readonly isOwn: boolean
  readonly onDone: () => void
  readonly onClose: () => void
}

const Revoke = ({ token: { id, scope }, isOwn, onDone, onClose }: RevokeProps) => (
  <Confirm
    title={`Revoke token ${id}?`}
    action={isOwn ? "Revoke and sign out" : "Revoke"}
    onConfirm={async () => {
      const { message } = await call("tokens", "revoke", { path: { id } })
      toast(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`)
      if (isOwn) leave()
      else onDone()
    }}
    onClose={onClose}
  >
    <p>
      {scope === "alerts"
        ? "Alerts that use it are refused from now on: first put another token into your webhooks."
        : "Programs that use it are refused from now on, and browsers signed in with it are signed out."}
    </p>
    {isOwn ? (
      <p class="strong">
        You are signed in with this token: you will be signed out, and need another token with scope full to
        sign in again.
      </p>
    ) : null}
    <p>Tokens that were created with it stay valid. This cannot be undone.</p>
  </Confirm>
)
