// Settings, Backup: writes a verified copy of the database, and shows the commands that restore it.

import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { CopyBlock } from "../parts/CopyButton.tsx"
import { bytes } from "../parts/format.ts"
import { GuidePage, ProblemNotice } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Notice } from "../parts/Toast.tsx"
import type { Answer } from "../wire.ts"
import { restoring } from "./restoring.ts"

type Made = Answer<"operator", "backup">

export const Backup = ({ operator }: { operator: boolean }) => {
  const [made, setMade] = useState<Made>()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      setMade(await call("operator", "backup"))
    } catch (fault) {
      setProblem(Problem.of(fault))
    }
    setBusy(false)
  }
  return (
    <>
      <Panel title="Backup" actions={<GuidePage page="running#backups">More about backups</GuidePage>}>
        <div class="prose">
          <p>
            A copy of the whole database at one moment: all accounts, signals, strategies, trades and
            settings. The server keeps running. The copy is verified and written to the folder{" "}
            <code>backups</code> beside the database.
          </p>
          <p class="explain">
            Keep it as safe as the database, and copy it to another machine: a disk that fails takes both.
          </p>
        </div>
        {operator ? null : (
          <Notice>
            Only the operator (the first account of this server) may make a backup, because it holds all
            accounts’ data.
          </Notice>
        )}
        <div class="actions">
          <button type="button" class="button primary" disabled={!operator || busy} onClick={make}>
            {busy ? "Backing up…" : "Back up now"}
          </button>
        </div>
        <div role="status" class="told">
          {busy ? (
            <p class="explain">A large database takes longer. You may leave this page meanwhile.</p>
          ) : null}
          {made === undefined || busy ? null : (
            <Notice tone="good">
              <span class="strong">backups/{made.file}</span> is written and verified: {bytes(made.bytes)} in{" "}
              {made.seconds < 1 ? "less than a second" : `${Math.round(made.seconds)} s`}.
            </Notice>
          )}
        </div>
        {problem === undefined ? null : <ProblemNotice problem={problem} />}
      </Panel>
      <Panel
        title="Restore a backup"
        actions={<GuidePage page="running#restore">More about restoring</GuidePage>}
      >
        <p class="explain">
          On the machine that runs Signalbox, in the database’s folder, with the server stopped. First try it
          in another place:
        </p>
        <CopyBlock label="Restore to another place" text={restoring(made?.file).elsewhere} />
        <p class="explain">
          Then restore it for real. The database that was there is kept under a dated name. If yours is not
          called signalbox.db, use the path of the server’s --db.
        </p>
        <CopyBlock label="Replace the database" text={restoring(made?.file).inPlace} />
      </Panel>
    </>
  )
}
