// Lets one of the caller's strategies follow a public signal, or leads to a new strategy that does.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { SelectField } from "../parts/Field.tsx"
import { ProblemNotice } from "../parts/GuideLink.tsx"
import { Loaded } from "../parts/States.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"
import { go } from "../router.ts"
import { href } from "../routes.ts"
import type { Answer } from "../wire.ts"
import { harmless } from "./foreign.ts"

type Line = Answer<"dashboard", "strategies">["data"][number]

/** The most strategies to choose from. */
const STRATEGIES = "500"

interface Props {
  /** The signal. */
  readonly id: number
  readonly name: string
  readonly onClose: () => void
}

export const FollowDialog = ({ id, name, onClose }: Props) => {
  const own = useQuery("strategies by name", (signal) =>
    call("dashboard", "strategies", { urlParams: { sort: "name", limit: STRATEGIES }, signal })
  )
  return (
    <Dialog title={`Follow ${harmless(name)}`} onClose={onClose}>
      <Loaded query={own}>
        {({ data }) =>
          data.length === 0 ? (
            <p>You have no strategy yet: make one that follows it.</p>
          ) : (
            <Choice strategies={data} id={id} />
          )
        }
      </Loaded>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <a class="button" href={href("strategies", ["new"], { signal: id })}>
          New strategy with it
        </a>
      </div>
    </Dialog>
  )
}

const Choice = ({ id, strategies }: { id: number; strategies: ReadonlyArray<Line> }) => {
  const [chosen, setChosen] = useState("")
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  const line = strategies.find(({ strategy_id }) => String(strategy_id) === chosen)
  const follow = async ({ name, strategy_id }: Line) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call("strategies", "update", { path: { id: strategy_id }, payload: { signal_id: id } })
      toast(`${name} follows it from the next alert on.`)
      go(href("strategy", [strategy_id]))
    } catch (fault) {
      setProblem(Problem.of(fault))
      setBusy(false)
    }
  }
  return (
    <form
      class="form"
      aria-label="Follow"
      onSubmit={(event) => {
        event.preventDefault()
        if (line !== undefined) follow(line)
      }}
    >
      <SelectField
        label="Strategy"
        value={chosen}
        onValue={setChosen}
        options={[{ value: "", label: "Choose one of yours" }, ...strategies.map(optionOf)]}
      />
      {line === undefined ? null : <Meaning line={line} id={id} />}
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <button
        type="submit"
        class={`button ${line !== undefined && isReal(line) ? "danger" : "primary"}`}
        disabled={isBusy || line === undefined || line.signal_id === id}
      >
        Follow with it
      </button>
    </form>
  )
}

const optionOf = ({ name, strategy_id }: Line) => ({ value: String(strategy_id), label: name })
const isReal = ({ trading }: Line): boolean => trading.mode !== "paper"

/** What following changes for the chosen strategy. */
const Meaning = ({ id, line }: { id: number; line: Line }) => (
  <>
    {line.signal_id === id ? <Notice>It follows this signal already.</Notice> : null}
    {line.signal_id !== null && line.signal_id !== id ? (
      <p>It follows {line.signal_name ?? `signal ${line.signal_id}`} now, and leaves it.</p>
    ) : null}
    {isReal(line) ? (
      <Notice tone="bad">
        This strategy trades with real money: from then on the alerts of somebody else buy and sell with it.
      </Notice>
    ) : null}
  </>
)
