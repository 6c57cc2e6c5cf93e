// The states of a page without data: loading, failed or empty. Old data stays visible while a refresh fails.
import type { ComponentChildren } from "preact"
import type { Problem } from "../Problem.ts"
import type { Query } from "../query.ts"
import { ProblemText } from "./GuideLink.tsx"

/** A loading message. It appears after a moment, so that quick responses do not flicker. */
export const Loading = ({ what = "Loading" }: { what?: string }) => (
  <p class="state loading" role="status">
    <span class="spinner" aria-hidden="true" />
    {what}…
  </p>
)

/** An error with a button to try again. */
export const Failed = ({ problem, retry }: { problem: Problem; retry?: () => void }) => (
  <div class="state failed" role="alert">
    <p>
      <ProblemText problem={problem} />
    </p>
    {retry === undefined ? null : (
      <button type="button" class="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
)

/** An empty state: what would be here, and how to get it. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="state empty">
    <p class="strong">{title}</p>
    {children}
  </div>
)

/** Renders a query's data, or its state before there is any. */
export const Loaded = <A,>({
  query,
  children
}: {
  query: Query<A>
  children: (data: A) => ComponentChildren
}) => {
  if (query.data !== undefined)
    return (
      <>
        {query.problem === undefined ? null : (
          <p class="notice warn" role="status">
            Not up to date: {query.problem.message}
          </p>
        )}
        {children(query.data)}
      </>
    )
  return query.problem === undefined ? <Loading /> : <Failed problem={query.problem} retry={query.refetch} />
}
