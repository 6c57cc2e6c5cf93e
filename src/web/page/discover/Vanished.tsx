// The page of a record that is not public, or not any more: what was shown before vanishes from it at once.
import { PageHead } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"
import { href } from "../routes.ts"

export const Vanished = ({ what }: { what: "strategy" | "signal" }) => (
  <>
    <PageHead title={what === "strategy" ? "Public strategy" : "Public signal"} />
    <Empty title={`This ${what} is not public`}>
      <p>
        Its owner made it private, switched it off or deleted it, or there never was one.{" "}
        <a href={href("discover", [], { show: what === "signal" ? "signals" : undefined })}>
          See what is public
        </a>
        .
      </p>
    </Empty>
  </>
)
