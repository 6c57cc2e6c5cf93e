import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { CopyBlock } from "../parts/CopyButton.tsx"
import { TextField } from "../parts/Field.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import { store, useStore } from "../store.ts"
import type { Answer } from "../wire.ts"
import { addressOf, type Obstacle, obstacles } from "./reach.ts"

type Template = Answer<"records", "template">

/** By what address the outside reaches this server: asked once for all signals. */
const outside = store(location.origin)

/** The webhook's address, with a token of its own that is made here and shown once. */
export const Webhook = ({ template }: { template: Template }) => {
  const base = useStore(outside)
  const [made, setMade] = useState<Made>()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const result = useRef<HTMLDivElement>(null)
  // The button is gone then: who presses it by keyboard goes on at what it made.
  useEffect(() => {
    if (made !== undefined) result.current?.focus()
  }, [made])
  const make = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { expires_at, id, token } = await call("tokens", "create", { payload: { scope: "alerts" } })
      if (token !== null) setMade({ id, token, expiresAt: expires_at })
    } catch (fault) {
      setProblem(Problem.of(fault))
    }
    setBusy(false)
  }
  const found = obstacles(base)
  return (
    <>
      <p class="explain">
        What a charting platform calls when an alert fires. The address carries a token that can send alerts
        and nothing else: whoever has the address can send them, so show it to nobody.
      </p>
      <TextField
        name="base"
        type="url"
        label="This server, as the platform reaches it"
        value={base}
        onValue={outside.set}
        errors={
          found.includes("invalid") ? ["must begin with http:// or https:// and a host name"] : undefined
        }
        explain="The beginning of the address: as your browser has it, unless you put another one here."
      />
      {found.includes("invalid") ? null : <Reach found={found} base={base} />}
      {problem === undefined ? null : <Notice tone="bad">{problem.message}</Notice>}
      {made === undefined ? (
        <>
          <div class="actions">
            <button
              type="button"
              class="button primary"
              disabled={busy || found.includes("invalid")}
              onClick={make}
            >
              Make a webhook address
            </button>
          </div>
          <p class="explain">
            It makes a token of its own, which the <a href={href("settings")}>settings</a> list and revoke. If
            you have one already, put it where it says YOUR_TOKEN:
          </p>
          <pre>{addressOf(base, template.url)}</pre>
        </>
      ) : (
        <div class="made-address" ref={result} tabIndex={-1}>
          <Notice tone="good">
            Copy the address now: token {made.id} in it is shown this once, and stored nowhere. If it is lost,
            make another, and revoke this one in the <a href={href("settings")}>settings</a>.
          </Notice>
          {made.expiresAt === null ? null : (
            <Notice tone="warn">
              The address stops working <Time at={made.expiresAt} />, with the token that you are signed in
              with. For one that lasts, sign in with a token that does not expire.
            </Notice>
          )}
          <CopyBlock label="Webhook address" text={addressOf(base, template.url, made.token)} />
          <details>
            <summary>For senders that cannot be given a message</summary>
            <p class="explain">
              The whole alert stands in the address. Change type and symbol as you need them.
            </p>
            <CopyBlock
              label="Address that buys BTCUSDT"
              text={addressOf(base, template.url_alone, made.token)}
            />
          </details>
        </div>
      )}
    </>
  )
}

/** The token of an address. `expiresAt` in seconds since the epoch. */
interface Made {
  readonly id: number
  readonly token: string
  readonly expiresAt: number | null
}

const Reach = ({ found, base }: { found: ReadonlyArray<Obstacle>; base: string }) =>
  found.length === 0 ? null : (
    <Notice tone={found.includes("clear") ? "plain" : "warn"}>
      <ul class="reach">
        {found.map((it) => (
          <li key={it}>{WORDS[it](base)}</li>
        ))}
      </ul>
    </Notice>
  )

const WORDS: Readonly<Record<Obstacle, (base: string) => string>> = {
  invalid: () => "",
  computer: (base) =>
    `Only programs on this very computer reach ${base}. For a charting platform on the internet, put the server behind a reverse proxy or a tunnel with a public name, and write that name above.`,
  network: (base) =>
    `Only your own network reaches ${base}. For a charting platform on the internet, put the server behind a reverse proxy or a tunnel with a public name, and write that name above.`,
  port: () =>
    "Charting platforms call the ports 80 and 443 alone. Let your proxy listen there and pass on to this port: the address then has no port in it.",
  clear: () =>
    "Without https the token crosses the internet for anybody on the way to read: https is better where you can have it."
}
