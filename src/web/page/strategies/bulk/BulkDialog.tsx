// Changes one setting of many strategies: shows for each what changes, applies it to each, and reports what became of
// each. Only this setting is sent, and a strategy that somebody changed meanwhile is left as it is.
import { useEffect, useState } from "preact/hooks"
import { call } from "../../client.ts"
import { Problem } from "../../Problem.ts"
import { Badge } from "../../parts/Badge.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { NumberField, SelectField } from "../../parts/Field.tsx"
import * as Format from "../../parts/format.ts"
import { Loading } from "../../parts/States.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import type { Answer } from "../../wire.ts"
import { fieldOf, fullLabel } from "../fields.ts"
import {
  BULK_FIELDS,
  type Change,
  choicesOf,
  isChange,
  isOutdated,
  type Plan,
  planOf,
  unitOf
} from "./bulk.ts"

interface Props {
  readonly ids: ReadonlyArray<number>
  /** The change to begin with. */
  readonly initial: Change
  /** Whether the setting can be chosen. */
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** What became of a strategy. */
type End = { readonly tone: "good" | "bad" | "warn"; readonly text: string }

type Board = Answer<"dashboard", "strategy">
const boardOf = (id: number): Promise<Board> => call("dashboard", "strategy", { path: { id } })

export const BulkDialog = ({ ids, initial, isOpen, onClose }: Props) => {
  const [boards, setBoards] = useState<ReadonlyArray<Board>>()
  const [problem, setProblem] = useState<Problem>()
  const [change, setChange] = useState(initial)
  const [ends, setEnds] = useState<ReadonlyMap<number, End>>(new Map())
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    readAll(ids).then(setBoards, (fault) => setProblem(Problem.of(fault)))
  }, [])
  const plans = boards?.map(({ strategy }) => planOf(strategy, change)) ?? []
  const real = new Set(
    boards?.filter(({ trading }) => trading.mode !== "paper").map((it) => it.strategy.strategy_id)
  )
  const changed = plans.filter(isChange)
  const apply = async () => {
    setBusy(true)
    for (const plan of changed) {
      const end = await applied(plan, change)
      setEnds((before) => new Map([...before, [plan.id, end]]))
    }
    setBusy(false)
  }
  const isDone = ends.size > 0 && !isBusy
  return (
    <Dialog title={titleOf(ids.length, initial, isOpen)} onClose={() => !isBusy && onClose()} wide>
      {isOpen && ends.size === 0 ? <ChangeFields change={change} onChange={setChange} /> : null}
      {problem === undefined ? null : (
        <p class="notice bad" role="alert">
          {problem.message}
        </p>
      )}
      {boards === undefined ? (
        problem === undefined ? (
          <Loading what="Reading the strategies" />
        ) : null
      ) : (
        <Table label="What changes" columns={columnsOf(ends, real)} rows={plans} id={({ id }) => id} />
      )}
      <p class="quiet" role="status">
        {ends.size === 0
          ? `${Format.count(changed.length)} of ${Format.counted(plans.length, "strategy", "strategies")} would change.`
          : `${Format.count([...ends.values()].filter(({ tone }) => tone === "good").length)} of ${Format.count(changed.length)} changed${isBusy ? " so far" : ""}.`}
      </p>
      <div class="actions">
        <button type="button" class="button" disabled={isBusy} onClick={onClose}>
          {isDone ? "Close" : "Cancel"}
        </button>
        {isDone ? null : (
          <button
            type="button"
            class="button primary"
            disabled={isBusy || changed.length === 0}
            onClick={apply}
          >
            {`Change ${Format.counted(changed.length, "strategy", "strategies")}`}
          </button>
        )}
      </div>
    </Dialog>
  )
}

const titleOf = (count: number, { value }: Change, isOpen: boolean): string => {
  const strategies = Format.counted(count, "strategy", "strategies")
  return isOpen ? `Change a setting of ${strategies}` : `Switch ${strategies} ${value}`
}

/** One after the other: the server limits how many requests come at once. */
const readAll = async (ids: ReadonlyArray<number>): Promise<ReadonlyArray<Board>> => {
  const all: Array<Board> = []
  for (const id of ids) all.push(await boardOf(id))
  return all
}

/** Sends the change to one strategy, unless it was changed since it was shown. */
const applied = async (plan: Plan, change: Change): Promise<End> => {
  try {
    if (isOutdated(plan, (await boardOf(plan.id)).strategy, change))
      return { tone: "warn", text: "left as it is: somebody changed this setting meanwhile" }
    await call("strategies", "update", { path: { id: plan.id }, payload: plan.patch })
    return { tone: "good", text: "changed" }
  } catch (fault) {
    const { errors, message, status } = Problem.of(fault)
    const texts = Object.entries(errors).map(([field, all]) => `${field} ${all.join("; ")}`)
    return {
      tone: "bad",
      text: status === 0 ? "no answer came: look at it, and change it again" : [message, ...texts].join(": ")
    }
  }
}

const ChangeFields = ({ change, onChange }: { change: Change; onChange: (change: Change) => void }) => {
  const choices = choicesOf(change.name)
  return (
    <div class="filters">
      <SelectField
        label="Setting"
        value={change.name}
        onValue={(chosen) => {
          const name = BULK_FIELDS.find((it) => it === chosen)
          if (name !== undefined) onChange({ name, value: choicesOf(name)[0] ?? "" })
        }}
        options={BULK_FIELDS.map((value) => ({ value, label: fullLabel(value) }))}
      />
      {fieldOf(change.name).kind === "number" ? (
        <NumberField
          label="New value"
          unit={unitOf(change.name)}
          value={change.value}
          onValue={(value) => onChange({ ...change, value })}
        />
      ) : (
        <SelectField
          label="New value"
          value={change.value}
          onValue={(value) => onChange({ ...change, value })}
          options={choices.map((value) => ({ value, label: value }))}
        />
      )}
    </div>
  )
}

const columnsOf = (
  ends: ReadonlyMap<number, End>,
  real: ReadonlySet<number>
): ReadonlyArray<Column<Plan>> => [
  {
    key: "strategy",
    title: "Strategy",
    cell: ({ id, strategy }) => (
      <>
        {strategy} {real.has(id) ? <Badge tone="real">real money</Badge> : null}
      </>
    )
  },
  { key: "before", title: "Now", align: "right", cell: ({ before }) => before },
  { key: "after", title: "Then", align: "right", cell: ({ after }) => after },
  {
    key: "end",
    title: "Result",
    cell: (plan) => {
      const end = ends.get(plan.id)
      if (end !== undefined) return <Badge tone={end.tone}>{end.text}</Badge>
      if (plan.errors.length > 0) return <span class="trouble">{plan.errors.join("; ")}</span>
      return <span class="quiet">{isChange(plan) ? "would change" : "has it already"}</span>
    }
  }
]
