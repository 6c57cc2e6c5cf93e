// Settings, Exchanges: everybody may see the exchanges and markets, only the operator may switch them.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Confirm } from "../parts/Dialog.tsx"
import { GuidePage } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { Count, Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import type { PageProps } from "../routes.ts"
import type { Answer } from "../wire.ts"
import { Exact } from "./Exact.tsx"
import { Markets } from "./Markets.tsx"
import {
  RefreshAll,
  RefreshButton,
  type RefreshControl,
  RefreshResult,
  useRefreshes
} from "./RefreshMarkets.tsx"
import { Toggle } from "./Toggle.tsx"

type Exchange = Answer<"operator", "exchanges">["data"][number]

interface Props {
  readonly operator: boolean
  readonly query: PageProps["query"]
}

export const Exchanges = ({ operator, query }: Props) => {
  const exchanges = useQuery("exchanges", (signal) => call("operator", "exchanges", { signal }))
  const refreshes = useRefreshes(operator, exchanges.refetch)
  const [asking, setAsking] = useState<string>()
  const set = async (name: Exchange["name"], active: boolean) => {
    const { active: isOn } = await call("operator", "switchExchange", { payload: { name, active } })
    toast(isOn ? `${name} is on: strategies may use it again.` : `${name} is off.`)
    exchanges.refetch()
    return isOn
  }
  return (
    <>
      {operator ? null : (
        <Notice>
          Only the operator (the first account of this server) may switch exchanges and markets, because this
          affects everybody.
        </Notice>
      )}
      <Panel
        title="Exchanges"
        actions={
          <>
            {refreshes === undefined ? null : (
              <RefreshAll
                exchanges={exchanges.data?.data.map(({ name }) => name) ?? []}
                control={refreshes}
              />
            )}
            <GuidePage page="running#markets">More about exchanges</GuidePage>
          </>
        }
      >
        <p class="explain">
          While an exchange is off, new and changed strategies cannot use it, and no positions are opened
          there. Open positions keep their exits. The fees apply to strategies that do not set their own.
        </p>
        <Loaded query={exchanges}>
          {({ data }) => (
            <>
              <Table
                label="Exchanges"
                columns={[
                  ...columnsOf(operator, ({ name }) => set(name, true), setAsking),
                  ...(refreshes === undefined ? [] : [refreshColumn(refreshes)])
                ]}
                rows={data}
                id={({ name }) => name}
              />
              {refreshes === undefined ? null : <RefreshResult control={refreshes} />}
              {data
                .filter(({ name }) => name === asking)
                .map(({ name }) => (
                  <Confirm
                    key={name}
                    title={`Switch ${name} off?`}
                    action="Switch off"
                    onConfirm={async () => void (await set(name, false))}
                    onClose={() => setAsking(undefined)}
                  >
                    <p>
                      This takes effect at once and for every account: no positions are opened on {name}, and
                      new and changed strategies cannot use it. Open positions keep their exits.
                    </p>
                  </Confirm>
                ))}
            </>
          )}
        </Loaded>
      </Panel>
      <Markets
        operator={operator}
        exchanges={exchanges.data?.data.map(({ name }) => name) ?? []}
        query={query}
      />
    </>
  )
}

const columnsOf = (
  operator: boolean,
  switchOn: (exchange: Exchange) => Promise<boolean>,
  ask: (name: string) => void
): ReadonlyArray<Column<Exchange>> => [
  { key: "name", title: "Exchange", sort: ({ name }) => name, cell: ({ name }) => name },
  {
    key: "state",
    title: "Strategies may use it",
    sort: ({ active }) => (active ? 1 : 0),
    cell: (it) => (
      <Toggle
        on={it.active}
        label={`strategies may use ${it.name}`}
        disabled={!operator}
        onSwitch={() => switchOn(it)}
        onAsk={() => ask(it.name)}
      />
    )
  },
  {
    key: "maker",
    title: "Maker fee",
    align: "right",
    sort: (it) => it.maker_fee,
    cell: (it) => <Exact value={it.maker_fee} unit="%" />
  },
  {
    key: "taker",
    title: "Taker fee",
    align: "right",
    sort: (it) => it.taker_fee,
    cell: (it) => <Exact value={it.taker_fee} unit="%" />
  },
  {
    key: "markets",
    title: "Markets",
    align: "right",
    sort: ({ markets }) => markets,
    cell: ({ markets }) => <Count value={markets} />
  },
  {
    key: "refreshed",
    title: "List of markets",
    sort: (it) => it.refreshed_at,
    cell: (it) =>
      it.refreshed_at === null ? (
        <span class="quiet">as shipped{it.shipped_on === null ? "" : `, ${dayText(it.shipped_on)}`}</span>
      ) : (
        <Time at={it.refreshed_at} relative />
      )
  }
]

const refreshColumn = (control: RefreshControl): Column<Exchange> => ({
  key: "refresh",
  title: "Refresh",
  cell: ({ name }) => <RefreshButton name={name} control={control} />
})

const dayText = (day: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day))
