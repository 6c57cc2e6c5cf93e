import type { ComponentChildren } from "preact"
import type { Problem } from "../Problem.ts"
import type { Query } from "../query.ts"

/** Something is on its way; told after a moment, so that quick answers do not flicker. */
export const Loading = ({ what = "Loading" }: { what?: string }) => (
  <p class="state loading" role="status">
    <span class="spinner" aria-hidden="true" />
    {what}…
  </p>
)

/** Something could not be had, with a way to try again. */
export const Failed = ({ problem, retry }: { problem: Problem; retry?: () => void }) => (
  <div class="state failed" role="alert">
    <p>{problem.message}</p>
    {retry === undefined ? null : (
      <button type="button" class="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
)

/** There is nothing yet: what would be here, and how to get it. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="state empty">
    <p class="strong">{title}</p>
    {children}
  </div>
)

/** What a query answered, or why there is nothing yet; an old answer stays while a new one fails. */
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
