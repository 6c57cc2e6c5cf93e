// Pages through a list with cursors, keeping the cursors of the pages before.
import { useState } from "preact/hooks"
import { Pager } from "./Pager.tsx"

/** The cursors of all pages up to the current one. `words` label the buttons where the list is not sorted by time. */
export const useCursors = (words?: readonly [previous: string, next: string]) => {
  const [all, set] = useState<ReadonlyArray<string>>([])
  return {
    cursor: all.at(-1),
    /** Returns to the first page. */
    reset: () => set([]),
    pager: (next: string | undefined) => (
      <Pager
        previous={all.length > 0}
        next={next !== undefined}
        onPrevious={() => set(all.slice(0, -1))}
        onNext={() => next !== undefined && set([...all, next])}
        {...(words === undefined ? {} : { words })}
      >
        {`Page ${all.length + 1}`}
      </Pager>
    )
  }
}
