import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import type { Answer } from "../wire.ts"
import { Body, DOORS } from "./Details.tsx"

type Refusal = Answer<"incoming", "refusals">["data"][number]

const EVERY_MS = 10_000

/** Requests to the alert doors that were refused: nothing was stored of them, and no event tells of them. */
export const Refused = () => {
  const [open, setOpen] = useState<string>()
  const list = useQuery("refusals", (signal) => call("incoming", "refusals", { signal }), {
    everyMs: EVERY_MS
  })
  const columns: ReadonlyArray<Column<Numbered>> = [
    {
      key: "at",
      title: "Came",
      cell: (it) => (
        <button
          type="button"
          class="opener"
          aria-expanded={open === it.key}
          onClick={() => setOpen(open === it.key ? undefined : it.key)}
        >
          <span class="chevron" aria-hidden="true" />
          <Time at={it.at} />
          <span class="hidden-words">, details</span>
        </button>
      )
    },
    { key: "door", title: "By", cell: (it) => DOORS[it.door] },
    {
      key: "status",
      title: "Answer",
      cell: (it) => (
        <>
          <Badge tone="bad">{it.status}</Badge> <span class="mono">{it.code}</span>
        </>
      )
    },
    { key: "message", title: "Why", cell: (it) => it.message }
  ]
  return (
    <Loaded query={list}>
      {({ data }) => (
        <>
          <Table
            label="Refused alerts"
            columns={columns}
            rows={numbered(data)}
            id={(it) => it.key}
            below={(it) => (it.key === open ? <Body text={it.body} /> : null)}
            empty={
              <Empty title="Nothing was refused since the server started">
                <p>
                  Requests that cannot be read, name no signal of yours or come too often would stand here.
                </p>
              </Empty>
            }
          />
          {data.length === 0 ? null : (
            <p class="explain">
              The last 200 since the server started. Requests without a valid token belong to nobody and are
              not here.
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

type Numbered = Refusal & { readonly key: string }

/** They have no number of their own: the second they came in, and which of that second. */
const numbered = (refusals: ReadonlyArray<Refusal>): ReadonlyArray<Numbered> => {
  const seen = new Map<number, number>()
  return [...refusals]
    .reverse()
    .map((it) => {
      const before = seen.get(it.at) ?? 0
      seen.set(it.at, before + 1)
      return { ...it, key: `${it.at} ${before}` }
    })
    .reverse()
}
