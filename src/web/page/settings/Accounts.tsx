// Settings, Exchange accounts: lists, checks and removes them. Keys never pass through a page.
import { useState } from "preact/hooks"
import { type ExchangeAccount, useAccounts } from "../accounts.ts"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { Confirm } from "../parts/Dialog.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { toast } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import type { Session } from "../session.ts"
import { CheckButton } from "./CheckButton.tsx"
import { Connecting } from "./Connecting.tsx"

export const Accounts = ({ session }: { session: Session }) => {
  const accounts = useAccounts()
  const [asking, setAsking] = useState<ExchangeAccount>()
  return (
    <>
      <Panel title="Exchange accounts">
        <p class="explain">
          Strategies trade with these accounts once they are armed with real money. Keys are never shown, here
          or anywhere else.
        </p>
        <Loaded query={accounts}>
          {({ data }) => (
            <Table
              label="Exchange accounts"
              columns={columnsOf(accounts.refetch, setAsking)}
              rows={data}
              id={({ id }) => id}
              empty={
                <Empty title="No account is connected yet">
                  <p>All strategies trade on paper. To connect an account, see below.</p>
                </Empty>
              }
            />
          )}
        </Loaded>
      </Panel>
      <Connecting session={session} />
      {asking === undefined ? null : (
        <Remove of={asking} onDone={accounts.refetch} onClose={() => setAsking(undefined)} />
      )}
    </>
  )
}

const columnsOf = (
  refetch: () => void,
  ask: (account: ExchangeAccount) => void
): ReadonlyArray<Column<ExchangeAccount>> => [
  {
    key: "name",
    title: "Account",
    sort: ({ name }) => name,
    cell: ({ created_at, name, sandbox }) => (
      <>
        {name} {sandbox ? <Badge tone="sandbox">SANDBOX</Badge> : null}
        <span class="under">
          connected <Time at={created_at} relative />
        </span>
      </>
    )
  },
  { key: "exchange", title: "Exchange", sort: ({ exchange }) => exchange, cell: ({ exchange }) => exchange },
  {
    key: "check",
    title: "Last check",
    sort: (it) => it.checked_at,
    cell: ({ checked_at, problem }) => (
      <>
        {checked_at === null ? (
          <span class="quiet">never</span>
        ) : (
          <>
            <Badge tone={problem === null ? "good" : "bad"}>{problem === null ? "OK" : "problem"}</Badge>{" "}
            <Time at={checked_at} relative />
          </>
        )}
        {problem === null ? null : <span class="under trouble">{problem}</span>}
      </>
    )
  },
  {
    key: "strategies",
    title: "Used by",
    cell: ({ strategies }) =>
      strategies.length === 0 ? (
        <span class="quiet">none</span>
      ) : (
        <span class="actions">
          {strategies.map((id) => (
            <a key={id} href={href("strategy", [id])}>
              Strategy {id}
            </a>
          ))}
        </span>
      )
  },
  {
    key: "actions",
    title: "Actions",
    cell: (it) => (
      <span class="actions row-actions">
        <CheckButton of={it} onChecked={refetch} />
        <button type="button" class="button small quiet-danger" onClick={() => ask(it)}>
          Remove
          <span class="hidden-words"> {it.name}</span>
        </button>
      </span>
    )
  }
]

interface RemoveProps {
  readonly of: ExchangeAccount
  readonly onDone: () => void
  readonly onClose: () => void
}

const Remove = ({ of: { exchange, id, name, strategies }, onDone, onClose }: RemoveProps) => (
  <Confirm
    title={`Remove ${name}?`}
    action="Remove"
    onConfirm={async () => {
      await call("live", "remove", { path: { id } })
      toast(`${name} and its keys are removed.`)
      onDone()
    }}
    onClose={onClose}
  >
    <p>Its keys are deleted from this server for good. To trade with it again, connect it again.</p>
    <p>
      {strategies.length === 0
        ? `Delete the key at ${exchange} too, so that nobody else uses it.`
        : "Strategies trade with it: disarm them first."}
    </p>
  </Confirm>
)
