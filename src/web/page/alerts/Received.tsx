// The list of received alerts, newest first, filtered on the server.
import { useEffect } from "preact/hooks"
import { paged } from "../client.ts"
import type { Happening } from "../live.ts"
import { useCursors } from "../parts/Cursors.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import { AlertFilters } from "./AlertFilters.tsx"
import { AlertTable } from "./AlertTable.tsx"
import { ALERT_FILTERS, given, isFiltered, type Query, sharedParams } from "./search.ts"

const PAGE = 100

const concerns = ({ kind }: Happening) => kind.startsWith("alert_")

interface Props {
  readonly query: Query
  /** The alert that a link names: the list begins with it, and its details are open. */
  readonly first: string | undefined
}

export const Received = ({ query, first }: Props) => {
  const { alert: open = first, outcome, signal = "" } = query
  const { cursor: later, pager, reset } = useCursors()
  const cursor = later ?? cursorAt(first)
  const filters = { ...sharedParams(query), outcome: given(outcome), signal_id: given(signal) }
  const key = JSON.stringify(filters)
  useEffect(reset, [key])
  const list = useQuery(
    `alerts ${key} ${cursor}`,
    (abort) =>
      paged("incoming", "alerts", {
        urlParams: { ...filters, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
        signal: abort
      }),
    { on: concerns }
  )
  const isSearch = isFiltered(query, ALERT_FILTERS)
  return (
    <>
      <AlertFilters query={query} />
      <Loaded query={list}>
        {({ body, next }) => (
          <>
            <AlertTable
              alerts={body.data}
              open={open}
              empty={<Nothing filtered={isSearch} more={next !== undefined} />}
            />
            {pager(next)}
            {first === undefined ? null : (
              <p>
                <a href={href("alerts")}>All alerts, the newest first</a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

/** The cursor of the list that begins with an alert, as the server writes it. */
const cursorAt = (id: string | undefined): string | undefined =>
  id === undefined || !/^[1-9]\d{0,14}$/.test(id)
    ? undefined
    : btoa(String(Number(id) + 1)).replace(/=+$/, "")

const Nothing = ({ filtered, more }: { filtered: boolean; more: boolean }) =>
  more ? (
    <Empty title="None of the last 5,000 alerts is like that">
      <p>“Older” searches further back.</p>
    </Empty>
  ) : filtered ? (
    <Empty title="No alert is like that" />
  ) : (
    <Empty title="No alerts yet">
      <p>
        The page of <a href={href("signals")}>each signal</a> has the address and the messages for your
        charting platform, and can send a test.
      </p>
    </Empty>
  )
