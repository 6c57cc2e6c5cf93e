// When something was published, how often, and how much else its publisher has published.
import { counted } from "../parts/format.ts"
import { Time } from "../parts/Value.tsx"
import type { Line, SignalLine } from "./record.ts"

type Publication = Pick<SignalLine, "age_days" | "first_published_at" | "published_at" | "times_published">

interface Props {
  readonly of: Publication
  readonly publisher: Line["publisher"]
  readonly what: "strategy" | "signal"
}

export const Published = ({ of, publisher, what }: Props) => (
  <>
    <p>
      Published <Time at={of.first_published_at} /> for the first time
      {of.times_published > 1 ? (
        <>
          ; it was hidden and published again {counted(of.times_published - 1, "time")}, the last time{" "}
          <Time at={of.published_at} />
        </>
      ) : null}
      .
    </p>
    <p class="explain">
      {publisher.published === 1
        ? `This ${what} is all that its publisher has ever published.`
        : `Its publisher has published ${publisher.published} strategies and signals so far, those that vanished included: the one that does well among many may be luck.`}
    </p>
  </>
)
