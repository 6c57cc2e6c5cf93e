// The Back-test page: tries a stored strategy's settings, changed or not, on past prices. The strategy itself never
// changes.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { SelectField } from "../parts/Field.tsx"
import { GuidePage } from "../parts/GuideLink.tsx"
import { PageHead, Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { useQuery } from "../query.ts"
import { setQuery } from "../router.ts"
import type { PageProps } from "../routes.ts"
import { BLANK } from "../strategies/blank.ts"
import { formOf } from "../strategies/form.ts"
import { Bench, type Picked } from "./Bench.tsx"

/** The most strategies in the list. */
const MOST_LISTED = "500"

export const Backtest = ({ query }: PageProps) => {
  const [id, setId] = useState(numberIn(query["strategy"]))
  const list = useQuery("strategies to test", (signal) =>
    call("dashboard", "strategies", {
      signal,
      urlParams: { sort: "name", direction: "asc", limit: MOST_LISTED }
    })
  )
  const picked = useQuery(id === undefined ? null : `strategy ${id}`, (signal) =>
    call("dashboard", "strategy", { path: { id: id ?? 0 }, signal })
  )
  const pick = (value: string) => {
    const next = numberIn(value)
    setId(next)
    setQuery({ strategy: next })
  }
  const lines = list.data?.data ?? []
  const known = lines.some(({ strategy_id }) => strategy_id === id)
  const picker = (
    <SelectField
      label="Strategy"
      name="strategy"
      value={id === undefined ? "" : String(id)}
      onValue={pick}
      explain="A copy of its settings is tested; the strategy itself stays as it is."
      options={[
        { value: "", label: "New settings" },
        ...(id === undefined || known ? [] : [{ value: String(id), label: `Strategy ${id}` }]),
        ...lines.map(({ name, strategy_id }) => ({ value: String(strategy_id), label: name }))
      ]}
    />
  )
  return (
    <>
      <PageHead
        title="Back-test"
        lead="Try settings on past prices, with the same rules that trade live. Nothing is stored or changed."
      >
        <GuidePage page="backtests#in-the-dashboard">More about back-tests</GuidePage>
      </PageHead>
      {id === undefined ? (
        <Bench key="new" picker={picker} picked={BLANK_PICKED} />
      ) : picked.data === undefined ? (
        <>
          <Panel title="Settings">{picker}</Panel>
          <Loaded query={picked}>{() => null}</Loaded>
        </>
      ) : (
        <Bench key={id} picker={picker} picked={pickedOf(picked.data.strategy)} />
      )}
    </>
  )
}

const BLANK_PICKED: Picked = { strategy: undefined, form: BLANK, followsSignal: false }

const pickedOf = (strategy: Parameters<typeof formOf>[0]): Picked => ({
  strategy: { id: strategy.strategy_id, name: strategy.name },
  form: formOf(strategy),
  followsSignal: strategy.signal_id !== null
})

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
