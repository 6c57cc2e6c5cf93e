// All errors of a form, at its top. Each line leads to its field.

import type { Problem } from "../Problem.ts"
import { ProblemText } from "../parts/GuideLink.tsx"
import { Notice } from "../parts/Toast.tsx"
import { type Errors, errorLines } from "./form.ts"

export const ErrorSummary = ({
  errors,
  problem,
  form
}: {
  errors: Errors
  problem: Problem | undefined
  form: HTMLFormElement | null
}) => {
  const lines = errorLines(errors)
  if (lines.length === 0 && (problem === undefined || Object.keys(problem.errors).length > 0)) return null
  return (
    <Notice tone="bad">
      {lines.length === 0 ? (
        problem === undefined ? null : (
          <ProblemText problem={problem} />
        )
      ) : (
        <>
          <p class="strong">
            {lines.length === 1 ? "One setting needs" : `${lines.length} settings need`} another look:
          </p>
          <ul>
            {lines.map(({ name, text }) => (
              <li key={name}>
                <button type="button" class="text-button" onClick={() => focusOn(form, name)}>
                  {text}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  )
}

/** A field of several rows: the first row that is wrong. */
const focusOn = (form: HTMLFormElement | null, name: string): void => {
  const wrong = form?.querySelector<HTMLElement>(`[name^="${name}["][aria-invalid=true]`)
  const field = wrong ?? form?.querySelector<HTMLElement>(`[name="${name}"]`)
  field?.focus()
}
