import { useState } from "preact/hooks"
import { Pager } from "./Pager.tsx"

/** How a list that is read by cursors was come to: the last cursor is that of the page that is shown. */
export const useCursors = () => {
  const [all, set] = useState<ReadonlyArray<string>>([])
  return {
    cursor: all.at(-1),
    /** Back to the first page. */
    reset: () => set([]),
    pager: (next: string | undefined) => (
      <Pager
        previous={all.length > 0}
        next={next !== undefined}
        onPrevious={() => set(all.slice(0, -1))}
        onNext={() => next !== undefined && set([...all, next])}
      >
        {`Page ${all.length + 1}`}
      </Pager>
    )
  }
}
