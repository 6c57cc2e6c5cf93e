// How far the download of candles is, with the button that cancels it, or how it ended.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { Notice, toast } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { type Download, nameOf, progressText, resultText, utcDayOf } from "./words.ts"

interface Props {
  readonly download: Download | undefined
  readonly onCancelled: () => void
}

export const DownloadStatus = ({ download, onCancelled }: Props) => (
  <div role="status" class="told form">
    {download === undefined ? null : download.stage === "running" ? (
      <Running download={download} onCancelled={onCancelled} />
    ) : (
      <Ended download={download} />
    )}
  </div>
)

const Running = ({ download, onCancelled }: { download: Download; onCancelled: () => void }) => {
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    setBusy(true)
    try {
      await call("candles", "cancel")
      onCancelled()
    } catch (fault) {
      toast(Problem.of(fault).message, "bad")
    }
    setBusy(false)
  }
  const { done, exchange, total, waiting } = download
  return (
    <div class="download">
      <span class="strong">{titleOf(download)}</span>
      <progress aria-label="Download" max={1} value={total === 0 ? undefined : done / total} />
      <span>{progressText(download)}</span>
      {waiting === null ? null : (
        <span class="explain">
          {exchange}: {waiting}
        </span>
      )}
      <div class="actions">
        <button type="button" class="button" disabled={busy} onClick={cancel}>
          Cancel
        </button>
        <span class="explain">You may leave this page: the server goes on.</span>
      </div>
    </div>
  )
}

const Ended = ({ download }: { download: Download }) => {
  const { ended, failure, stage } = download
  return (
    <Notice tone={stage === "failed" ? "bad" : stage === "done" ? "good" : "plain"}>
      <span class="strong">{titleOf(download)}</span> {STAGES[stage]} <Time at={ended} relative />
      {stage === "failed" ? `: ${failure ?? "the reason is not known"}.` : "."}{" "}
      {stage === "done" ? resultText(download) : null}
      {stage === "cancelled" ? "What came is stored, and the same download goes on from there." : null}
    </Notice>
  )
}

const STAGES = { running: "runs", done: "was downloaded", failed: "failed", cancelled: "was cancelled" }

const titleOf = (download: Download): string => {
  const [from, to] = [utcDayOf(download.from), utcDayOf(download.to)]
  return `${nameOf(download)}, ${from === to ? from : `${from} to ${to}`}`
}
