// What a copy is copied from, what the original changed since, and the sync that takes it over.
import { useState } from "preact/hooks"
import { useActing } from "../byHand/acting.ts"
import { call } from "../client.ts"
import { Foreign } from "../discover/Foreign.tsx"
import { Badge } from "../parts/Badge.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { counted } from "../parts/format.ts"
import { ProblemNotice } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import { fullLabel, isFieldName } from "../strategies/fields.ts"
import { settingText } from "../strategies/settingText.ts"
import type { Answer } from "../wire.ts"
import type { Board } from "./board.ts"

type Found = Answer<"copies", "origin">
type Change = Found["changes"][number]

interface Props {
  readonly board: Board
  readonly refetch: () => void
}

export const Origin = (props: Props) =>
  props.board.strategy.copied_from === null ? null : (
    <Copied {...props} from={props.board.strategy.copied_from} />
  )

const Copied = ({ board, from, refetch }: Props & { from: number }) => {
  const { strategy_id: id } = board.strategy
  const [isOpen, setOpen] = useState(false)
  const query = useQuery(`origin ${id}`, (signal) => call("copies", "origin", { path: { id }, signal }), {
    on: ({ strategy_id }) => strategy_id === id
  })
  return (
    <Panel title="Original">
      {query.problem?.status === 404 ? (
        <p>
          Copied from strategy {from}, which is deleted or not public any more. This copy is your own and
          stays as it is; there is nothing to sync with.
        </p>
      ) : (
        <Loaded query={query}>
          {(found) => {
            const origin = { ...found, changes: found.changes.filter(isDifferent) }
            return (
              <>
                <Standing origin={origin} onSync={() => setOpen(true)} />
                {isOpen ? (
                  <SyncDialog
                    board={board}
                    origin={origin}
                    onClose={() => setOpen(false)}
                    onDone={() => {
                      query.refetch()
                      refetch()
                    }}
                  />
                ) : null}
              </>
            )
          }}
        </Loaded>
      )}
    </Panel>
  )
}

/** Whether a change shows: a switch is listed with its numbers, also where it stays on. */
const isDifferent = ({ original, own }: Change): boolean => JSON.stringify(own) !== JSON.stringify(original)

const Standing = ({ onSync, origin }: { origin: Found; onSync: () => void }) => {
  const taken = origin.changes.filter(({ takes }) => takes).length
  return (
    <>
      <p>
        Copied from{" "}
        <a href={href("discover", ["strategies", origin.copied_from])}>
          <Foreign text={origin.name} />
        </a>
        , as it was on <Time at={origin.taken_at} />. {statusOf(origin.changes.length, taken)}
      </p>
      {origin.changes.length === 0 ? null : <Changes of={origin.changes} />}
      {taken === 0 ? null : (
        <div class="actions">
          <button type="button" class="button primary" onClick={onSync}>
            Sync…
          </button>
        </div>
      )}
    </>
  )
}

const statusOf = (changed: number, taken: number): string => {
  if (changed === 0) return "The original has not changed since."
  const changes = `The original changed ${counted(changed, "setting")} since.`
  return taken === 0 ? `${changes} You chose all of them yourself: there is nothing to take over.` : changes
}

const Changes = ({ of }: { of: ReadonlyArray<Change> }) => (
  <Table label="What the original changed" columns={COLUMNS} rows={of} id={({ field }) => field} />
)

const COLUMNS: ReadonlyArray<Column<Change>> = [
  {
    key: "field",
    title: "Setting",
    cell: ({ field }) => (isFieldName(field) ? fullLabel(field) : field)
  },
  { key: "own", title: "Yours", cell: ({ field, own }) => textOf(field, own) },
  { key: "original", title: "The original’s", cell: ({ field, original }) => textOf(field, original) },
  {
    key: "takes",
    title: "With a sync",
    cell: ({ takes }) =>
      takes ? <Badge tone="accent">taken over</Badge> : <Badge>stays: you chose it</Badge>
  }
]

const textOf = (field: string, value: unknown) => {
  const text = isFieldName(field) ? settingText(field, value) : String(value)
  return <Foreign text={text} most={120} />
}

interface SyncProps {
  readonly board: Board
  readonly origin: Found
  readonly onDone: () => void
  readonly onClose: () => void
}

const SyncDialog = ({ board, onClose, onDone, origin }: SyncProps) => {
  const { name, strategy_id: id } = board.strategy
  const taken = origin.changes.filter(({ takes }) => takes)
  const { act, isBusy, problem } = useActing<Answer<"copies", "sync">>(
    JSON.stringify(origin.changes),
    (headers) => call("copies", "sync", { path: { id }, headers }),
    ({ warnings }) => {
      toast([`${name} took over ${counted(taken.length, "setting")}.`, ...warnings].join(" "))
      onDone()
      onClose()
    }
  )
  return (
    <Dialog title={`Sync ${name}`} onClose={onClose} wide>
      {board.trading.mode === "paper" ? null : (
        <Notice tone="bad">
          This strategy trades with real money: the new settings apply to its open positions at once.
        </Notice>
      )}
      <p>These settings become as the original has them now. All others stay.</p>
      <Changes of={taken} />
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={`button ${board.trading.mode === "paper" ? "primary" : "danger"}`}
          disabled={isBusy}
          onClick={act}
        >
          Take over {counted(taken.length, "setting")}
        </button>
      </div>
    </Dialog>
  )
}
