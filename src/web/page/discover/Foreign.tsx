// A text of another account within a sentence, isolated, so that its direction of writing ends with it.
import { harmless, MOST_SHOWN } from "./foreign.ts"

interface Props {
  readonly text: string
  /** The most characters to show. */
  readonly most?: number
}

export const Foreign = ({ text, most = MOST_SHOWN }: Props) => (
  <bdi class="foreign">{harmless(text, most)}</bdi>
)
