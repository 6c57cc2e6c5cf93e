// The tab "Live against test" of a strategy's page: what it really did, beside its back-test over the recorded candles
// and alerts, with the parts of the difference and its reasons trade by trade.
import { useEffect, useState } from "preact/hooks"
import { call } from "../../client.ts"
import { now } from "../../clock.ts"
import { SelectField } from "../../parts/Field.tsx"
import * as Format from "../../parts/format.ts"
import { GuidePage } from "../../parts/GuideLink.tsx"
import { Figure, Figures } from "../../parts/PageHead.tsx"
import { Empty, Failed, Loading } from "../../parts/States.tsx"
import { Notice } from "../../parts/Toast.tsx"
import { Money, Sentence, Time } from "../../parts/Value.tsx"
import { useQuery } from "../../query.ts"
import { href } from "../../routes.ts"
import type { Answer } from "../../wire.ts"
import { ComparedTrades } from "./ComparedTrades.tsx"
import { Waterfall } from "./Waterfall.tsx"
import type { Comparison as Compared } from "./waterfall.ts"

const DAY = 86_400
const SPANS = [
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" }
]

const ENDED_SPANS = [
  { value: "7", label: "Its last 7 days" },
  { value: "30", label: "Its last 30 days" },
  { value: "90", label: "Its last 90 days" }
]

type Period = Answer<"backtests", "compare">["periods"][number]

const labelOf = ({ from, mode, to }: Period): string => {
  const how = mode === "live" ? "With real money" : "On paper"
  return to === null
    ? `${how}, since ${Format.day(from)}`
    : `${how}, ${Format.day(from)} to ${Format.day(to)}`
}

export const Comparison = ({ id }: { id: number }) => {
  const [days, setDays] = useState("30")
  // The present period has no name of its own: it goes on under another number once the bot begins a new one.
  const [earlier, setEarlier] = useState<Period>()
  const { data, loading, problem, refetch } = useQuery(
    `comparison ${id} ${days} ${earlier?.period}`,
    (signal) => {
      const from = (earlier?.to ?? Math.floor(now() / 1000)) - Number(days) * DAY
      const period = earlier === undefined ? {} : { period: String(earlier.period) }
      return call("backtests", "compare", {
        path: { id },
        urlParams: { from: String(from), ...period },
        signal
      })
    },
    { once: true }
  )
  const [periods, setPeriods] = useState<ReadonlyArray<Period>>([])
  useEffect(() => {
    if (data !== undefined) setPeriods(data.periods)
  }, [data])
  return (
    <section class="panel comparison" aria-label="Live against test" aria-busy={loading}>
      <div class="filters">
        {periods.length > 1 ? (
          <SelectField
            label="Period"
            value={String(earlier?.period ?? "")}
            onValue={(number) => setEarlier(periods.find(({ period }) => String(period) === number))}
            disabled={loading}
            options={periods.map((period) => ({
              value: period.to === null ? "" : String(period.period),
              label: labelOf(period)
            }))}
          />
        ) : null}
        <SelectField
          label="Time"
          value={days}
          onValue={setDays}
          disabled={loading}
          options={earlier === undefined ? SPANS : ENDED_SPANS}
        />
        <button type="button" class="button" disabled={loading} onClick={refetch}>
          Compare again
        </button>
      </div>
      <p class="explain">
        The test has the strategy's present settings, the alerts that it answered, and the recorded candles.{" "}
        <GuidePage page="differences">Why did it do otherwise?</GuidePage>
      </p>
      {loading ? (
        <Loading what="Running the test, which takes up to a minute" />
      ) : problem !== undefined ? (
        <Failed problem={problem} retry={refetch} />
      ) : data?.comparison ? (
        <Answered of={data.comparison} />
      ) : (
        <Empty title="There is nothing to compare yet">
          <p>
            <Sentence text={sentence(data?.reason ?? "")} />
          </p>
        </Empty>
      )}
    </section>
  )
}

const Answered = ({ of }: { of: Compared }) =>
  of.candles === 0 ? (
    <Empty title="There are no candles of that time">
      <p>
        The test needs one-minute candles of the strategy's pairs. A server that was started with --record
        keeps them; those of the past are fetched under{" "}
        <a href={href("settings", ["candles"])}>Settings, Candles</a>.
      </p>
    </Empty>
  ) : (
    <>
      <Summary of={of} />
      {of.notices.map((text) => (
        <Notice key={text}>
          <Sentence text={sentence(text)} />
        </Notice>
      ))}
      {of.remainder === 0 ? null : (
        <Notice tone="warn">
          The parts do not explain everything: even at the real moments and prices the test decides otherwise
          in some trades, as minute candles lack prices that the bot saw. If that cannot be, the command
          signalbox verify checks the books.
        </Notice>
      )}
      <Waterfall of={of} />
      <ComparedTrades of={of} />
      <Holes of={of} />
    </>
  )

const Summary = ({ of }: { of: Compared }) => {
  const { currency, difference, from, live, mode, test, to } = of
  return (
    <>
      <p>
        <Time at={from} /> to <Time at={to} />
      </p>
      <Figures>
        <Figure
          label={mode === "live" ? "With real money" : "On paper"}
          note={Format.counted(live.trades, "trade")}
        >
          <Money value={live.pnl} currency={currency} sign />
        </Figure>
        <Figure label="In the test" note={Format.counted(test.trades, "trade")}>
          <Money value={test.pnl} currency={currency} sign />
        </Figure>
        <Figure label="Difference" note={difference === 0 ? "exactly as in the test" : "real less test"}>
          <Money value={difference} currency={currency} sign />
        </Figure>
      </Figures>
    </>
  )
}

/** The stretches without candles. */
const Holes = ({ of: { holes, holes_total } }: { of: Compared }) =>
  holes.length === 0 ? null : (
    <details>
      <summary>{`${Format.counted(holes_total, "stretch", "stretches")} without candles, in which nothing is compared`}</summary>
      <ul>
        {holes.map(({ exchange, from, pair, to }) => (
          <li key={`${exchange} ${pair} ${from}`}>
            {pair} on {exchange}: <Time at={from} /> to <Time at={to} />
          </li>
        ))}
      </ul>
      <p>
        <a href={href("settings", ["candles"])}>Settings, Candles</a> downloads them.
      </p>
    </details>
  )

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
