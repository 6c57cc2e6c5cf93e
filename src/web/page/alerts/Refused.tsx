// The list of requests that the alert doors refused since the server started. Nothing of them was stored, and no
// event reports them.

import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { Code } from "../parts/GuideLink.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import type { Answer } from "../wire.ts"
import { Body, DOORS } from "./Details.tsx"

type Refusal = Answer<"incoming", "refusals">["data"][number]

const EVERY_MS = 10_000

export const Refused = () => {
  const [open, setOpen] = useState<string>()
  const list = useQuery("refusals", (signal) => call("incoming", "refusals", { signal }), {
    everyMs: EVERY_MS
  })
  const columns: ReadonlyArray<Column<Numbered>> = [
    {
      key: "at",
      title: "Received",
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
          <Badge tone="bad">{it.status}</Badge>{" "}
          <span class="mono">
            <Code code={it.code} />
          </span>
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
                  Requests that cannot be read, name no signal of yours or exceed the rate limit appear here.
                </p>
              </Empty>
            }
          />
          {data.length === 0 ? null : (
            <p class="explain">
              The last 200 since the server started. Requests without a valid token belong to no account and
              are not listed.
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

type Numbered = Refusal & { readonly key: string }

/** Refusals have no id: use the second and the index within that second. */
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
