import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { CopyBlock } from "../parts/CopyButton.tsx"
import { bytes } from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Notice } from "../parts/Toast.tsx"
import type { Answer } from "../wire.ts"
import { restoring } from "./restoring.ts"

type Made = Answer<"operator", "backup">

/** Writes a copy of the database, and tells how it is put back. */
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
      <Panel title="Backup">
        <div class="prose">
          <p>
            A copy of the whole database, of one moment, while the server goes on: all accounts, signals,
            strategies, trades and settings. It is verified before it gets its name, and put into the folder{" "}
            <code>backups</code> beside the database.
          </p>
          <p class="explain">
            The addresses and secrets of notifications stand in it as they are: keep it as safe as the
            database. Copy it to another machine, since a disk that fails takes both.
          </p>
        </div>
        {operator ? null : (
          <Notice>
            Only the operator may back up: the account that was made first on this server, since it is all
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
            <p class="explain">It takes as long as the database is large. You may stay here or go on.</p>
          ) : null}
          {made === undefined || busy ? null : (
            <Notice tone="good">
              <span class="strong">backups/{made.file}</span> is written and verified: {bytes(made.bytes)} in{" "}
              {made.seconds < 1 ? "less than a second" : `${Math.round(made.seconds)} s`}.
            </Notice>
          )}
        </div>
        {problem === undefined ? null : <Notice tone="bad">{problem.message}</Notice>}
      </Panel>
      <Panel title="To put a backup back">
        <p class="explain">
          On the machine that Signalbox runs on, in the folder of the database, while it is not served. Try it
          in another place first:
        </p>
        <CopyBlock label="In another place" text={restoring(made?.file).elsewhere} />
        <p class="explain">
          And in earnest. The database that was there is kept beside it, under a name with its date. Where
          yours is not called signalbox.db, name it as the server’s --db does.
        </p>
        <CopyBlock label="In place of the database" text={restoring(made?.file).inPlace} />
      </Panel>
    </>
  )
}
