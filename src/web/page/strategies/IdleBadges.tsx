// Badges for the reasons why a strategy never opens a position. Each leads to the form that mends it.
import { href } from "../routes.ts"
import { type Facts, idle } from "./idle.ts"

export const IdleBadges = ({ id, of }: { id: number; of: Facts }) => (
  <>
    {idle(of).map(({ code, text, title }) => (
      <a key={code} class="badge warn" href={href("strategies", [id, "edit"])} title={text}>
        {title}: never enters
      </a>
    ))}
  </>
)
