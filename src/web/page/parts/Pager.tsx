interface Props {
  /** Whether there are pages on either side. */
  readonly previous: boolean
  readonly next: boolean
  readonly onPrevious: () => void
  readonly onNext: () => void
  /** Where we are, in words: "1 to 50". */
  readonly children?: string
}

/** Back and forth through a list that comes in pages. */
export const Pager = ({ previous, next, onPrevious, onNext, children }: Props) =>
  previous || next ? (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" class="button small" disabled={!previous} onClick={onPrevious}>
        Newer
      </button>
      <span class="quiet">{children}</span>
      <button type="button" class="button small" disabled={!next} onClick={onNext}>
        Older
      </button>
    </nav>
  ) : null
