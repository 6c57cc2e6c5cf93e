// "What would this have done": a back-test of the rule over stored candles in one click, after a download where there are
// none yet.
import { useEffect, useState } from "preact/hooks"
import { Result } from "../../backtest/Result.tsx"
import { Elapsed, useRun } from "../../backtest/run.tsx"
import { DownloadStatus } from "../../candles/DownloadStatus.tsx"
import { useDownload } from "../../candles/download.ts"
import { utcDayOf } from "../../candles/words.ts"
import { call } from "../../client.ts"
import { now } from "../../clock.ts"
import { Problem } from "../../Problem.ts"
import { SelectField } from "../../parts/Field.tsx"
import * as Format from "../../parts/format.ts"
import { GuidePage } from "../../parts/GuideLink.tsx"
import { Panel } from "../../parts/PageHead.tsx"
import { Notice } from "../../parts/Toast.tsx"
import { useQuery } from "../../query.ts"
import { session } from "../../session.ts"
import { useStore } from "../../store.ts"
import { bodyOf, type Draft, formOf } from "../../strategies/form.ts"
import { useFollowers } from "../signal.ts"
import { type Market, marketName, type RuleChart } from "./chart.ts"
import type { Rule } from "./draft.ts"
import { daysOf, daysToFetch, payloadOf, plainStrategy, storedOf } from "./trial.ts"

interface Props {
  readonly rule: Rule
  readonly signal: number
  readonly market: Market
  readonly needs: RuleChart["needs"]
  /** Called when candles were downloaded. */
  readonly onCandles: () => void
}

export const Trial = ({ market, needs, onCandles, rule, signal }: Props) => {
  const stored = useQuery("recordings", (abort) => call("backtests", "recordings", { signal: abort }))
  const recording = storedOf(stored.data?.data ?? [], market)
  const [settings, setSettings] = useState("")
  const [tested, setTested] = useState<Draft>()
  const [problem, setProblem] = useState<Problem>()
  const [isDue, setDue] = useState(false)
  const run = useRun()
  const start = async () => {
    if (recording === undefined) return
    setProblem(undefined)
    try {
      const strategy = await strategyOf(settings, market)
      setTested(strategy)
      await run.start(payloadOf(strategy, rule, recording))
    } catch (fault) {
      setProblem(Problem.of(fault))
    }
  }
  // A download that somebody began here is tried as soon as it is there.
  useEffect(() => {
    if (!isDue || recording === undefined) return
    setDue(false)
    start()
  }, [isDue, recording])
  const { state } = run
  const refused = state.at === "failed" ? state.problem : problem
  return (
    <>
      <Panel
        title="What would this have done?"
        actions={<GuidePage page="backtests#rules">More about back-tests of rules</GuidePage>}
      >
        <p class="explain">
          The rule on {marketName(market)} over stored candles, by the code that trades: its alerts, their
          trades, and the result. Nothing is stored or traded.
        </p>
        {recording === undefined ? (
          <NoRecording
            isLoading={stored.data === undefined}
            {...{ market, days: daysToFetch(rule, needs) }}
            onBegun={() => setDue(true)}
            onEnded={() => {
              stored.refetch()
              onCandles()
            }}
          />
        ) : (
          <>
            <FollowerChoice signal={signal} value={settings} onValue={setSettings} />
            <div class="actions">
              {state.at === "running" ? (
                <button key="stop" type="button" class="button" onClick={run.stop}>
                  Stop
                </button>
              ) : (
                <button key="run" type="button" class="button primary" onClick={start}>
                  Try it on the last {Format.counted(daysIn(recording, rule), "day")}
                </button>
              )}
              <span class="quiet" role="status">
                {state.at === "running" ? <Elapsed since={state.since} /> : null}
              </span>
            </div>
          </>
        )}
        {refused === undefined ? null : <Notice tone="bad">{refused.message}</Notice>}
      </Panel>
      {state.at === "done" ? (
        <Result
          result={state.result}
          took={`${Format.count(state.result.elapsed_ms)} ms`}
          isStale={false}
          strategy={tested}
        />
      ) : null}
    </>
  )
}

/** The days of a recording that are tested. */
const daysIn = ({ from, to }: { from: number; to: number }, rule: Rule): number =>
  Math.max(1, Math.min(daysOf(rule), Math.ceil((to - from) / 86_400)))

/** The settings of a strategy, or those of the rule alone. */
const strategyOf = async (id: string, market: Market): Promise<Draft> => {
  if (id === "") return plainStrategy(market)
  const { strategy } = await call("dashboard", "strategy", { path: { id: Number(id) } })
  return bodyOf(formOf(strategy))
}

const FollowerChoice = ({
  onValue,
  signal,
  value
}: {
  signal: number
  value: string
  onValue: (id: string) => void
}) => {
  const followers = useFollowers()(signal) ?? []
  if (followers.length === 0)
    return <p class="explain">It buys with the whole balance, and only its own alerts sell again.</p>
  return (
    <SelectField
      name="trial"
      label="Traded by"
      value={value}
      onValue={onValue}
      options={[
        { value: "", label: "The whole balance, sold by alerts only" },
        ...followers.map(({ name, strategy_id }) => ({ value: String(strategy_id), label: name }))
      ]}
    />
  )
}

interface NoRecordingProps {
  readonly isLoading: boolean
  readonly market: Market
  readonly days: number
  readonly onBegun: () => void
  readonly onEnded: () => void
}

/** The button that downloads what is missing; only the operator may fill the disk. */
const NoRecording = ({ days, isLoading, market, onBegun, onEnded }: NoRecordingProps) => {
  const who = useStore(session)
  const isOperator = who.state === "in" && who.session.operator
  const [problem, setProblem] = useState<Problem>()
  const { isRunning, last, refetch } = useDownload(isOperator, onEnded)
  if (isLoading) return <p class="explain">Looking for stored candles…</p>
  if (!isOperator)
    return (
      <p>
        No one-minute candles of it are stored. The operator of this server can download them in Settings,
        Candles.
      </p>
    )
  const begin = async () => {
    setProblem(undefined)
    try {
      const today = now() / 1000
      await call("candles", "begin", {
        payload: { ...market, timeframe: "1m", from: utcDayOf(today - days * 86_400), to: utcDayOf(today) }
      })
      onBegun()
      refetch()
    } catch (fault) {
      setProblem(Problem.of(fault))
    }
  }
  return (
    <>
      <p>
        No candles of it are stored yet. {Format.counted(days, "day")} of one-minute candles are enough: those
        that are tried, and those that its indicators need before.
      </p>
      <div class="actions">
        <button type="button" class="button primary" disabled={isRunning} onClick={begin}>
          {isRunning ? "Downloading…" : `Download ${Format.counted(days, "day")}`}
        </button>
      </div>
      {problem === undefined ? null : <Notice tone="bad">{problem.message}</Notice>}
      <DownloadStatus download={last} onCancelled={refetch} />
    </>
  )
}
