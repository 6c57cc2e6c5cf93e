// Sentences of the program, a line each, with their figures and times as the reader writes them.
import { Sentence } from "../parts/Value.tsx"

export const Lines = ({ of }: { of: ReadonlyArray<string> }) => (
  <ul class="lines">
    {of.map((text) => (
      <li key={text}>
        <Sentence text={text} />
      </li>
    ))}
  </ul>
)
