// A strategy's orders, newest first, on paper and at exchanges.
import { paged } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { useCursors } from "../parts/Cursors.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Amount, Moment, Price } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { setQuery } from "../router.ts"
import { marketOf } from "./board.ts"
import { Fees, Fills } from "./Fills.tsx"
import { type Order, orderOfAlert, purposeOf, shortId, statusOf } from "./orders.ts"

const ROWS = 50
/** Pages searched for an alert's order. */
const PAGES_BACK = 20

interface Props {
  readonly id: number
  /** The page's query: `order` is the one whose fills are shown; `alert` and `at` name an alert, and its order is shown. */
  readonly place: Readonly<Record<string, string>>
}

export const OrderTable = ({ id, place }: Props) => {
  const { cursor, pager } = useCursors()
  const { alert, at, order } = place
  const fetchPage = (from: string | undefined, signal: AbortSignal) =>
    paged("live", "orders", {
      path: { id },
      urlParams: { limit: ROWS, ...(from === undefined ? {} : { cursor: from }) },
      signal
    })
  const query = useQuery(
    `orders ${id} ${cursor} ${alert}`,
    async (signal) => {
      let page = await fetchPage(cursor, signal)
      // An alert's order may be pages back.
      for (let pages = 1; pages < PAGES_BACK && alert !== undefined && cursor === undefined; pages++) {
        if (page.next === undefined || orderOfAlert(page.body.data, alert, at) !== undefined) break
        page = await fetchPage(page.next, signal)
      }
      return page
    },
    { on: ({ strategy_id }) => strategy_id === id }
  )
  const found = alert === undefined ? undefined : orderOfAlert(query.data?.body.data ?? [], alert, at)
  const open = order ?? (found === undefined ? undefined : String(found.sequence))
  return (
    <section class="panel" aria-label="Orders">
      <Loaded query={query}>
        {({ body, next }) => (
          <>
            <Table
              label="Orders"
              columns={columnsOf(open)}
              rows={body.data}
              id={({ sequence }) => sequence}
              below={(order) => (String(order.sequence) === open ? <Fills id={id} of={order} /> : null)}
              empty={
                <Empty title="No orders yet">
                  <p>Every order is listed here before it is sent, with its status and fills.</p>
                </Empty>
              }
            />
            {pager(next)}
          </>
        )}
      </Loaded>
    </section>
  )
}

const columnsOf = (open: string | undefined): ReadonlyArray<Column<Order>> => [
  {
    key: "at",
    title: "Decided",
    cell: (it) => <Opener of={it} isOpen={String(it.sequence) === open} />
  },
  {
    key: "order",
    title: "Order",
    cell: (it) => (
      <>
        <span class="whole-words">
          {purposeOf(it)} <Badge tone={it.side === "buy" ? "good" : "bad"}>{it.side}</Badge>
        </span>
        <span class="under">{marketOf(it)}</span>
      </>
    )
  },
  {
    key: "quantity",
    title: "Quantity",
    align: "right",
    cell: (it) => (
      <span class="whole-words">
        <Amount value={it.quantity} />
        <span class="under">
          filled <Amount value={it.filled} />
        </span>
      </span>
    )
  },
  {
    key: "price",
    title: "Price",
    align: "right",
    cell: (it) => (
      <>
        <Price value={it.price} />
        <span class="under">{it.type}</span>
      </>
    )
  },
  {
    key: "status",
    title: "Status",
    cell: (it) => {
      const [tone, words] = statusOf(it)
      return <Badge tone={tone}>{words}</Badge>
    }
  },
  { key: "fee", title: "Fee", align: "right", cell: (it) => <Fees of={it} /> },
  {
    key: "where",
    title: "Where",
    cell: (it) => (
      <>
        {it.live ? <Badge tone="real">live</Badge> : <Badge>paper</Badge>}
        {it.client_id === null ? null : (
          <span class="under">
            <ClientId id={it.client_id} />
          </span>
        )}
      </>
    )
  }
]

const Opener = ({ of, isOpen }: { of: Order; isOpen: boolean }) => (
  <button
    type="button"
    class="opener"
    aria-expanded={isOpen}
    onClick={() => setQuery({ order: isOpen ? undefined : of.sequence, alert: undefined, at: undefined })}
  >
    <span class="chevron" aria-hidden="true" />
    <Moment at={of.at} />
    <span class="hidden-words">, fills</span>
  </button>
)

/** The start of the client id; all of it on hover or keyboard focus. */
const ClientId = ({ id }: { id: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the whole is shown to who comes to it by keyboard
  <span class="client-id mono" tabIndex={0}>
    {shortId(id)}
    <span class="whole">{id}</span>
  </span>
)
