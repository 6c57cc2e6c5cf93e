import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Confirm } from "../parts/Dialog.tsx"
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
import { Toggle } from "./Toggle.tsx"

type Exchange = Answer<"operator", "exchanges">["data"][number]

interface Props {
  readonly operator: boolean
  readonly query: PageProps["query"]
}

/** The exchanges and their markets. Everybody may look, the operator alone may switch. */
export const Exchanges = ({ operator, query }: Props) => {
  const exchanges = useQuery("exchanges", (signal) => call("operator", "exchanges", { signal }))
  const [asking, setAsking] = useState<string>()
  const set = async (name: Exchange["name"], active: boolean) => {
    const { active: isOn } = await call("operator", "switchExchange", { payload: { name, active } })
    toast(isOn ? `${name} is open for strategies again.` : `${name} is switched off.`)
    exchanges.refetch()
    return isOn
  }
  return (
    <>
      {operator ? null : (
        <Notice>
          Only the operator may switch exchanges and markets: the account that was made first on this server,
          since they count for everybody.
        </Notice>
      )}
      <Panel title="Exchanges">
        <p class="explain">
          While an exchange is off, no strategy can be made with it or be given it by a change, and nothing
          new is bought there. What is held there keeps its exits. The fees are those that strategies pay
          where they do not say otherwise.
        </p>
        <Loaded query={exchanges}>
          {({ data }) => (
            <>
              <Table
                label="Exchanges"
                columns={columnsOf(operator, ({ name }) => set(name, true), setAsking)}
                rows={data}
                id={({ name }) => name}
              />
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
                      It counts at once and for every account: nothing new is bought on {name}, and no
                      strategy can be made with it or be given it by a change. Open positions keep their
                      exits.
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
    title: "Refreshed",
    sort: (it) => it.refreshed_at,
    cell: (it) =>
      it.refreshed_at === null ? (
        <span class="quiet">as shipped</span>
      ) : (
        <Time at={it.refreshed_at} relative />
      )
  }
]
