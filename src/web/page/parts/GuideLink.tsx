// Links to the guide's texts. They open beside the dashboard, so that nothing typed is lost.
import { type ComponentChildren, createContext } from "preact"
import { useContext } from "preact/hooks"
import { addressOf, type ExplainingPage, headingOf, type LinkedPlace } from "../../guide/Addresses.ts"
import type { Problem } from "../Problem.ts"
import { Notice } from "./Toast.tsx"

/** Whether there is a guide to link to: a report lies on somebody's disk, with no server behind it. */
export const HasGuide = createContext(true)

const Beside = ({ href, children }: { href: string; children: ComponentChildren }) => {
  const hasGuide = useContext(HasGuide)
  if (!hasGuide) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
      <span class="hidden-words"> (guide, in a new tab)</span>
    </a>
  )
}

/** "More" about one setting or error; `about` tells screen readers apart what is next to the link. */
export const More = ({ page, id, about }: { page: ExplainingPage; id: string; about: string }) => (
  <Beside href={headingOf(page, id)}>
    More<span class="hidden-words"> about {about}</span>
  </Beside>
)

/** A page of the guide, or a heading in it. */
export const GuidePage = ({ page, children }: { page: LinkedPlace; children: ComponentChildren }) => (
  <Beside href={addressOf(page)}>{children}</Beside>
)

/** A reason of an outcome, as a link to its explanation. */
export const Reason = ({ reason, children = reason }: { reason: string; children?: ComponentChildren }) => (
  <Beside href={headingOf("reasons", reason)}>{children}</Beside>
)

/** An error's code, as a link to its explanation. */
export const Code = ({ code }: { code: string }) => <Beside href={headingOf("errors", code)}>{code}</Beside>

/** The text of an error, with a link where the server told its code. */
export const ProblemText = ({ problem: { code, isExplained, message } }: { problem: Problem }) => (
  <>
    {message}
    {isExplained ? (
      <>
        {" "}
        <More page="errors" id={code} about="this error" />
      </>
    ) : null}
  </>
)

/** An error within a form or a panel. */
export const ProblemNotice = ({ problem }: { problem: Problem }) => (
  <Notice tone="bad">
    <ProblemText problem={problem} />
  </Notice>
)
