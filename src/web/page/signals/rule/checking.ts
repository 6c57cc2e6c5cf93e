// Asks the server what expressions say, a moment after the last key.
import { useEffect, useState } from "preact/hooks"
import { call } from "../../client.ts"
import { after } from "../../clock.ts"
import type { Answer, Request } from "../../wire.ts"
import { paramsOf, type RuleDraft, stepsOf } from "./draft.ts"

export type Finding = Answer<"rules", "check">["expressions"][number]
export type Completion = Answer<"rules", "check">["completions"][number]
type Question = Request<"rules", "check">["payload"]

/** Where somebody writes: the text, and how many characters stand before the cursor. */
export interface Cursor {
  readonly field: string
  readonly text: string
  readonly place: number
}

/** The findings by field, and the completions at the cursor. */
export interface Checked {
  readonly findings: ReadonlyMap<string, Finding>
  readonly completions: ReadonlyArray<Completion>
  /** The cursor that the completions are for. */
  readonly cursor: Cursor | undefined
}

const NOTHING: Checked = { findings: new Map(), completions: [], cursor: undefined }
const PAUSE_MS = 300

/** The fields of an entry that hold an expression, and what each has to give. */
export const AMOUNTS = ["sl", "tp", "size", "part"] as const

/** The name of an entry's field. */
export const fieldOf = (entry: number, name: "when" | (typeof AMOUNTS)[number]): string => `${entry}.${name}`

/** The name of the price of a step of an entry's ladder. */
export const stepOf = (entry: number, step: number): string => `${entry}.steps.${step}`

const expressionsOf = ({ entries }: RuleDraft) =>
  entries.flatMap((entry) => [
    { field: fieldOf(entry.key, "when"), text: entry.when, type: "boolean" as const },
    ...AMOUNTS.map((name) => ({
      field: fieldOf(entry.key, name),
      text: entry[name],
      type: "number" as const
    })),
    ...stepsOf(entry.steps).map(({ price }, index) => ({
      field: stepOf(entry.key, index),
      text: String(price),
      type: "number" as const
    }))
  ])

/** The findings of a draft's expressions; those that are empty have none. */
export const useChecked = (draft: RuleDraft, cursor: Cursor | undefined): Checked => {
  const [checked, setChecked] = useState(NOTHING)
  const written = expressionsOf(draft).filter(({ text }) => text.trim() !== "")
  const question: Question = {
    timeframe: draft.timeframe,
    params: Object.fromEntries(
      Object.entries(paramsOf(draft.params)).filter(([, value]) => Number.isFinite(value))
    ),
    expressions: written.map(({ text, type }) => ({ text, type })),
    ...(cursor === undefined ? {} : { complete: { text: cursor.text, place: cursor.place } })
  }
  const key = JSON.stringify([question, cursor?.field])
  useEffect(() => {
    const abort = new AbortController()
    const cancel = after(PAUSE_MS, () => {
      call("rules", "check", { payload: question, signal: abort.signal }).then(
        ({ completions, expressions }) =>
          setChecked({
            findings: new Map(
              expressions.flatMap((finding, index) => {
                const field = written[index]?.field
                return field === undefined ? [] : [[field, finding] as const]
              })
            ),
            completions,
            cursor
          }),
        // Saving reports what keeps the server from answering.
        () => undefined
      )
    })
    return () => {
      cancel()
      abort.abort()
    }
  }, [key])
  return checked
}
