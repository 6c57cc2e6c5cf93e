// The frame around every page: header, navigation, notices and footer. After navigation the focus moves to the new
// page.

import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { GUIDE_PATH } from "../../guide/Addresses.ts"
import { liveness } from "../live.ts"
import { Foot } from "../parts/reader/Foot.tsx"
import { ThemeButton } from "../parts/ThemeButton.tsx"
import { Notice, Toasts } from "../parts/Toast.tsx"
import { href, type PageName } from "../routes.ts"
import type { Session } from "../session.ts"
import { signOut } from "../signing.ts"
import { useStore } from "../store.ts"
import { Halted } from "./Halted.tsx"
import { Icon } from "./icons.tsx"

const NAVIGATION: ReadonlyArray<readonly [page: PageName, title: string, short?: string]> = [
  ["overview", "Overview"],
  ["signals", "Signals"],
  ["strategies", "Strategies"],
  ["discover", "Discover"],
  ["trades", "Trades"],
  ["alerts", "Alerts"],
  ["backtest", "Back-test"],
  ["settings", "Settings"]
]

interface Props {
  readonly session: Session
  readonly shown: PageName | undefined
  /** Changes when another page or record is shown. */
  readonly at: string
  readonly children: ComponentChildren
}

export const Layout = ({ session, shown, at, children }: Props) => {
  const main = useRef<HTMLElement>(null)
  const before = useRef(at)
  // Before the page is painted: later the focus would be taken from somebody who has pressed Tab meanwhile.
  useLayoutEffect(() => {
    // Move the focus to the new page: a keyboard or screen-reader user continues there.
    if (before.current === at) return
    before.current = at
    main.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [at])
  return (
    <div class="layout">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href={href("overview")}>
          Signalbox
        </a>
        <Live />
        <span class="account" title={`Signed in as ${session.account}`}>
          {session.account}
        </span>
        <a class="button small ghost guide-link" href={GUIDE_PATH}>
          <Icon name="guide" />
          Guide
        </a>
        <ThemeButton />
        <button type="button" class="button small ghost" onClick={signOut}>
          Sign out
        </button>
      </header>
      <nav class="navigation" aria-label="Pages">
        <ul>
          {NAVIGATION.map(([page, title]) => (
            <li key={page}>
              <a href={href(page)} aria-current={isAt(page, shown) ? "page" : undefined}>
                <Icon name={page} />
                <span>{title}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main ref={main} tabIndex={-1} id="main">
        <Halted operator={session.operator} />
        {session.version === __VERSION__ ? null : (
          <Notice tone="warn">
            The server now runs version {session.version}, but this page is version {__VERSION__}: reload it.
          </Notice>
        )}
        {children}
      </main>
      <Foot version={session.version}>
        <a href={GUIDE_PATH}>Guide</a>
        <a href="/docs">API reference</a>
      </Foot>
      <Toasts />
    </div>
  )
}

const isAt = (page: PageName, shown: PageName | undefined) =>
  page === shown || (page === "strategies" && shown === "strategy")

const Live = () => {
  const state = useStore(liveness)
  // "Online", not "Live": live means real money.
  const words = state === "live" ? "Online" : "Connecting"
  return (
    <span
      class={`live ${state}`}
      role="status"
      title={state === "live" ? "Connected: events arrive as they happen" : "Reconnecting to the server"}
    >
      <span class="dot" aria-hidden="true" />
      {words}
    </span>
  )
}
