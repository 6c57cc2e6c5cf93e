// Buttons to the previous and next page of a list.

interface Props {
  /** Whether there is a previous and a next page. */
  readonly previous: boolean
  readonly next: boolean
  readonly onPrevious: () => void
  readonly onNext: () => void
  /** The buttons' labels, if the list is not sorted by time. */
  readonly words?: readonly [previous: string, next: string]
  /** The current position: "1 to 50". */
  readonly children?: string
}

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
