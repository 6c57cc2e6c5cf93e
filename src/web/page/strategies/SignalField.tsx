// Chooses the signal to follow: one of the account's own, or another account's public signal by its id.
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { SelectField, TextField } from "../parts/Field.tsx"
import { Notice } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"

interface Props {
  readonly name: string
  readonly label: string
  readonly explain: ComponentChildren
  readonly errors: ReadonlyArray<string> | undefined
  /** The signal's id; empty for none. */
  readonly value: string
  readonly onValue: (value: string) => void
}

const OTHER = "other"

export const SignalField = ({ name, label, explain, errors, value, onValue }: Props) => {
  const { data } = useQuery("signals", (signal) => call("records", "signals", { signal }), {
    on: ({ kind }) => kind === "settings"
  })
  const [typing, setTyping] = useState(false)
  const own = data?.data ?? []
  const isForeign =
    typing || (value !== "" && data !== undefined && !own.some(({ id }) => String(id) === value))
  const options = [
    { value: "", label: "None" },
    ...own.map((signal) => ({
      value: String(signal.id),
      label: `${signal.name}${signal.active ? "" : " (inactive)"}`
    })),
    ...(data === undefined && value !== "" ? [{ value, label: `Signal ${value}` }] : []),
    { value: OTHER, label: "Another account's public signal…" }
  ]
  return (
    <div class="form">
      <SelectField
        name={isForeign ? undefined : name}
        label={label}
        explain={
          <>
            {explain}
            {data !== undefined && own.length === 0 ? (
              <>
                {" "}
                You have no signal yet: <a href={href("signals", ["new"])}>create one first</a>.
              </>
            ) : null}
          </>
        }
        errors={isForeign ? undefined : errors}
        value={isForeign ? OTHER : value}
        onValue={(chosen) => {
          setTyping(chosen === OTHER)
          onValue(chosen === OTHER ? "" : chosen)
        }}
        options={options}
      />
      {value === "" && !isForeign ? (
        <Notice tone="warn">Without a signal it never enters: no alert reaches it.</Notice>
      ) : null}
      {isForeign ? (
        <TextField
          name={name}
          label="Id of the public signal"
          explain={
            <>
              Its page on <a href={href("discover", [], { show: "signals" })}>Discover</a> says it.
            </>
          }
          errors={errors}
          value={value}
          onValue={(text) => {
            setTyping(true)
            onValue(text.trim())
          }}
        />
      ) : null}
    </div>
  )
}
