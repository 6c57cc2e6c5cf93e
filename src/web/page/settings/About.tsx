// Settings, About: the server, the session, the colours and the credits.
import type { ComponentChildren } from "preact"
import { call } from "../client.ts"
import { bytes } from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Failed } from "../parts/States.tsx"
import { Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import type { Session } from "../session.ts"
import { signOut } from "../signing.ts"
import { useStore } from "../store.ts"
import { choose, theme } from "../theme.ts"
import { OneOf } from "./Choice.tsx"

const sizeOf = (size: number | null | undefined) =>
  size === undefined ? "…" : size === null ? "unknown" : bytes(size)

export const About = ({ session }: { session: Session }) => {
  const glance = useQuery("overview", (signal) => call("dashboard", "overview", { signal }))
  const storage = glance.data?.storage
  return (
    <>
      <div class="columns">
        <Panel title="This server">
          <dl class="about">
            <Fact name="Version">Signalbox {session.version}</Fact>
            <Fact name="Prices">{session.prices}</Fact>
            {session.operator ? (
              <>
                <Fact name="Database">{sizeOf(storage?.database_bytes)}</Fact>
                <Fact name="Free space">{sizeOf(storage?.free_bytes)}</Fact>
              </>
            ) : null}
          </dl>
          {storage === undefined && glance.problem !== undefined ? (
            <Failed problem={glance.problem} retry={glance.refetch} />
          ) : null}
          <div class="actions">
            <a class="button" href="/docs">
              API reference
            </a>
            <a class="button" href="/openapi.json">
              OpenAPI document
            </a>
          </div>
        </Panel>
        <Panel title="You">
          <dl class="about">
            <Fact name="Account">{session.account}</Fact>
            <Fact name="Operator">
              {session.operator
                ? "yes: you manage exchanges, markets and backups"
                : "no: the operator is the first account of this server"}
            </Fact>
            <Fact name="Signed in">with token {session.token_id}</Fact>
            <Fact name="Until">
              {session.expires_at === null ? "you sign out" : <Time at={session.expires_at} />}
            </Fact>
          </dl>
          <div class="actions">
            <button type="button" class="button" onClick={signOut}>
              Sign out<span class="hidden-words"> of this browser</span>
            </button>
          </div>
        </Panel>
      </div>
      <Panel title="Appearance">
        <OneOf legend="Colours" name="theme" options={THEMES} value={useStore(theme)} onValue={choose} />
      </Panel>
      <Panel title="Licence and credits">
        <div class="prose">
          <p>Signalbox is free software under the MIT licence.</p>
          <p>
            Charts are drawn by <Out href="https://www.tradingview.com/">TradingView Lightweight Charts™</Out>
            , copyright TradingView, Inc., under the Apache License 2.0. The page is made with{" "}
            <Out href="https://preactjs.com/">Preact</Out>, the server with{" "}
            <Out href="https://effect.website/">Effect</Out>, prices come through{" "}
            <Out href="https://github.com/ccxt/ccxt">CCXT</Out>, all under the MIT licence.
          </p>
        </div>
      </Panel>
    </>
  )
}

const THEMES = [
  {
    value: "system",
    label: "Same as the system",
    explain: "Follows the system between light and dark."
  },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" }
] as const

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Out = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
)
