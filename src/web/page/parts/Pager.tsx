interface Props {
  /** Whether there are pages on either side. */
  readonly previous: boolean
  readonly next: boolean
  readonly onPrevious: () => void
  readonly onNext: () => void
  /** What the two buttons say; lists that are not by time need other words. */
  readonly words?: readonly [previous: string, next: string]
  /** Where we are, in words: "1 to 50". */
  readonly children?: string
}

/** Back and forth through a list that comes in pages. */
export const Pager = ({ previous, next, onPrevious, onNext, words = ["Newer", "Older"], children }: Props) =>
  previous || next ? (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" class="button small" disabled={!previous} onClick={onPrevious}>
        {words[0]}
      </button>
      <span class="quiet">{children}</span>
      <button type="button" class="button small" disabled={!next} onClick={onNext}>
        {words[1]}
      </button>
    </nav>
  ) : null
