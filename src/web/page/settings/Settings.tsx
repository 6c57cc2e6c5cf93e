// The Settings page and its sections: `settings`, `settings/exchanges`, `settings/notifications/new`.
import type { ComponentChildren } from "preact"
import { Candles } from "../candles/Candles.tsx"
import { PageHead } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"
import { href, type PageProps } from "../routes.ts"
import { type Session, session } from "../session.ts"
import { useStore } from "../store.ts"
import { About } from "./About.tsx"
import { Accounts } from "./Accounts.tsx"
import { Backup } from "./Backup.tsx"
import { Exchanges } from "./Exchanges.tsx"
import { NewNotification } from "./NotificationForm.tsx"
import { Notifications } from "./Notifications.tsx"
import { SECTIONS, type Section, sectionOf } from "./sections.ts"
import { Tokens } from "./Tokens.tsx"

export const Settings = ({ rest: [name, second], query }: PageProps) => {
  const section = sectionOf(name)
  const state = useStore(session)
  return (
    <>
      <PageHead
        title="Settings"
        window={section === undefined ? "Settings" : `${section.title} · Settings`}
      />
      <Sections shown={section} />
      {section === undefined ? (
        <Empty title="This section does not exist">
          <p>The address may be mistyped: choose a section above.</p>
        </Empty>
      ) : state.state === "in" ? (
        contentOf(section.key, state.session, second, query)
      ) : null}
    </>
  )
}

const contentOf = (
  section: Section["key"],
  who: Session,
  second: string | undefined,
  query: PageProps["query"]
): ComponentChildren => {
  switch (section) {
    case "tokens":
      return <Tokens own={who.token_id} />
    case "exchanges":
      return <Exchanges operator={who.operator} query={query} />
    case "candles":
      return <Candles operator={who.operator} />
    case "accounts":
      return <Accounts session={who} />
    case "notifications":
      return second === "new" ? <NewNotification /> : <Notifications />
    case "backup":
      return <Backup operator={who.operator} />
    case "about":
      return <About session={who} />
  }
}

/** Sections are links, because each has a URL of its own. */
const Sections = ({ shown }: { shown: Section | undefined }) => (
  <nav aria-label="Sections of the settings">
    <ul class="sections">
      {SECTIONS.map((section) => (
        <li key={section.key}>
          <a href={href("settings", [section.key])} aria-current={section === shown ? "page" : undefined}>
            {section.title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
