// Makes a signal's webhook address with a token of its own, and warns if the internet cannot reach it.

import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { CopyBlock } from "../parts/CopyButton.tsx"
import { TextField } from "../parts/Field.tsx"
import { GuidePage, ProblemNotice } from "../parts/GuideLink.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import { store } from "../shared.ts"
import { useStore } from "../store.ts"
import type { Answer } from "../wire.ts"
import { addressOf, type Obstacle, obstacles } from "./reach.ts"

type Template = Answer<"records", "template">

/** The server's public address, shared by all signals. */
const outside = store(location.origin)

export const Webhook = ({ template }: { template: Template }) => {
  const base = useStore(outside)
  const [made, setMade] = useState<Made>()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const result = useRef<HTMLDivElement>(null)
  // The button disappears, so move the focus to the address.
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
        A charting platform calls this address when an alert fires. It holds a token that can only send
        alerts. Anybody with the address can send them, so keep it secret.{" "}
        <GuidePage page="webhooks">More about webhooks</GuidePage>
        {", "}
        <GuidePage page="server#8-paste-the-address-into-tradingview">
          where to paste it in TradingView
        </GuidePage>
      </p>
      <TextField
        name="base"
        type="url"
        label="Address of this server, as the platform reaches it"
        value={base}
        onValue={outside.set}
        errors={
          found.includes("invalid") ? ["must begin with http:// or https:// and a host name"] : undefined
        }
        explain="By default the address in your browser."
      />
      {found.includes("invalid") ? null : <Reach found={found} base={base} />}
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
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
            This creates a token, which you can revoke in the <a href={href("settings")}>settings</a>. If you
            already have a token, put it in the place of YOUR_TOKEN:
          </p>
          <pre>{addressOf(base, template.url)}</pre>
        </>
      ) : (
        <div class="made-address" ref={result} tabIndex={-1}>
          <Notice tone="good">
            Copy the address now: its token {made.id} is shown only once and stored nowhere. If you lose it,
            make another, and revoke this one in the <a href={href("settings")}>settings</a>.
          </Notice>
          {made.expiresAt === null ? null : (
            <Notice tone="warn">
              The address stops working <Time at={made.expiresAt} />, with the token that you are signed in
              with. For one that lasts, sign in with a token that does not expire.
            </Notice>
          )}
          <CopyBlock label="Webhook address" text={addressOf(base, template.url, made.token)} />
          <CopyBlock
            label="Command that sends a buy of BTCUSDT from your terminal"
            text={`curl -X POST "${addressOf(base, template.url_alone, made.token)}"`}
          />
          <details>
            <summary>For senders that cannot be given a message</summary>
            <p class="explain">The address holds the whole alert. Change type and symbol as needed.</p>
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

/** The token of an address; `expiresAt` in seconds since the epoch. */
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
    `Only programs on this computer can reach ${base}. For a charting platform on the internet, put the server behind a reverse proxy or a tunnel with a public name, and enter that name above.`,
  network: (base) =>
    `Only your own network can reach ${base}. For a charting platform on the internet, put the server behind a reverse proxy or a tunnel with a public name, and enter that name above.`,
  port: () =>
    "Charting platforms call only ports 80 and 443. Let your proxy listen there and forward to this port; then leave the port out of the address.",
  clear: () => "Without https others on the way can read the token: use https if you can."
}
