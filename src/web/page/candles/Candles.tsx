// Settings, Candles: everybody may see what is stored, only the operator may download and remove.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Confirm } from "../parts/Dialog.tsx"
import { bytes, counted } from "../parts/format.ts"
import { GuidePage } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { Count } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { DownloadForm } from "./DownloadForm.tsx"
import { DownloadStatus } from "./DownloadStatus.tsx"
import { useDownload } from "./download.ts"
import { holeText, keyOf, nameOf, type Stored, utcDayOf } from "./words.ts"

/** Rows at first. */
const FEW = 50

export const Candles = ({ operator }: { operator: boolean }) => {
  const stored = useQuery("stored candles", (signal) => call("candles", "list", { signal }))
  const { isRunning, last, refetch } = useDownload(operator, stored.refetch)
  const [removing, setRemoving] = useState<Stored>()
  return (
    <>
      {operator ? null : (
        <Notice>
          Only the operator (the first account of this server) may download and remove candles, because they
          fill the disk for everybody.
        </Notice>
      )}
      {operator && stored.data?.is_on === true ? (
        <Panel
          title="Download candles"
          actions={<GuidePage page="backtests#downloads">More about downloads</GuidePage>}
        >
          <p class="explain">
            Past prices for back-tests, from the exchange itself. Days that are stored are not fetched again.
          </p>
          <DownloadForm busy={isRunning} onBegun={refetch} />
          <DownloadStatus download={last} onCancelled={refetch} />
        </Panel>
      ) : null}
      <Panel title="Stored candles">
        <p class="explain">
          What the server recorded and what was downloaded, as one. Back-tests, sweeps and charts read both.
        </p>
        <Loaded query={stored}>
          {({ data, total }) => (
            <>
              <Table
                label="Stored candles"
                columns={operator ? [...COLUMNS, removeColumn(setRemoving)] : COLUMNS}
                rows={data}
                id={keyOf}
                most={FEW}
                below={holesOf}
                empty={
                  <Empty title="No candles are stored yet">
                    <p>
                      The server records every market that strategies watch, and past ones can be downloaded.
                    </p>
                  </Empty>
                }
              />
              {total > data.length ? (
                <p class="explain">
                  These are the first {data.length} of {total}: signalbox candles list shows all.
                </p>
              ) : null}
            </>
          )}
        </Loaded>
      </Panel>
      {removing === undefined ? null : (
        <Removal series={removing} onRemoved={stored.refetch} onClose={() => setRemoving(undefined)} />
      )}
    </>
  )
}

const Removal = ({ series, onRemoved, onClose }: RemovalProps) => {
  const { exchange, kind, pair, timeframe } = series
  const remove = async () => {
    const { days_removed: days } = await call("candles", "remove", {
      payload: { exchange, pair, kind, timeframe }
    })
    toast(
      days === 0 ? "Nothing was downloaded of it: recorded candles stay." : `${counted(days, "day")} removed.`
    )
    onRemoved()
  }
  return (
    <Confirm title={`Remove ${nameOf(series)}?`} action="Remove" onConfirm={remove} onClose={onClose}>
      <p>
        The downloaded days are removed for everybody. What the server recorded stays, and what was removed
        can be downloaded again as long as the exchange has it.
      </p>
    </Confirm>
  )
}

interface RemovalProps {
  readonly series: Stored
  readonly onRemoved: () => void
  readonly onClose: () => void
}

const COLUMNS: ReadonlyArray<Column<Stored>> = [
  { key: "pair", title: "Pair", sort: ({ pair }) => pair, cell: ({ pair }) => pair },
  { key: "exchange", title: "Exchange", sort: (it) => it.exchange, cell: (it) => it.exchange },
  {
    key: "kind",
    title: "Kind",
    sort: ({ kind }) => kind,
    cell: ({ kind }) => (kind === "swap" ? "perpetual" : "spot")
  },
  { key: "timeframe", title: "Timeframe", cell: ({ timeframe }) => timeframe },
  { key: "from", title: "From (UTC)", sort: ({ from }) => from, cell: ({ from }) => utcDayOf(from) },
  { key: "to", title: "To (UTC)", sort: ({ to }) => to, cell: ({ to }) => utcDayOf(to) },
  {
    key: "count",
    title: "Candles",
    align: "right",
    sort: ({ count }) => count,
    cell: ({ count }) => <Count value={count} />
  },
  {
    key: "missing",
    title: "Missing",
    align: "right",
    sort: ({ missing }) => missing,
    cell: ({ missing }) => <Count value={missing} />
  },
  { key: "size", title: "Size", align: "right", sort: (it) => it.bytes, cell: (it) => bytes(it.bytes) }
]

const removeColumn = (ask: (series: Stored) => void): Column<Stored> => ({
  key: "remove",
  title: "Remove",
  cell: (series) => (
    <button type="button" class="button small" onClick={() => ask(series)}>
      Remove<span class="hidden-words"> {nameOf(series)}</span>
    </button>
  )
})

const holesOf = ({ holes, missing, more_holes }: Stored) =>
  missing === 0 ? null : (
    <details class="holes">
      <summary>{counted(holes.length + more_holes, "hole")}</summary>
      <ul>
        {[...holes].reverse().map((hole) => (
          <li key={hole.from}>{holeText(hole)}</li>
        ))}
      </ul>
      {more_holes === 0 ? null : <p class="explain">and {more_holes} older ones</p>}
    </details>
  )
