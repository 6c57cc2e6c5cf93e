// Bounds of a number, checked and written out.

export interface Bounds {
  readonly least?: number
  /** The value must be greater than this. */
  readonly above?: number
  readonly most?: number
  /** The value must be smaller than this. */
  readonly below?: number
  readonly whole?: boolean
}

/** The bounds as text: `from 0 to 100`, `above 0`, `a whole number from 1 to 200`. */
export const boundsText = ({ above, below, least, most, whole }: Bounds): string => {
  const lower = least === undefined ? `above ${above ?? 0}` : `from ${plain(least)}`
  const upper =
    below !== undefined
      ? ` and below ${plain(below)}`
      : most === undefined
        ? ""
        : `${least === undefined ? " and at most" : " to"} ${plain(most)}`
  return `${whole === true ? "a whole number " : ""}${lower}${upper}`
}

/** Plain digits with a dot, since that is how fields take them. */
const plain = (value: number): string => `${value}`

/** Whether a number is within the bounds. */
export const keeps = ({ above, below, least, most, whole }: Bounds, value: number): boolean =>
  Number.isFinite(value) &&
  (least === undefined || value >= least) &&
  (above === undefined || value > above) &&
  (most === undefined || value <= most) &&
  (below === undefined || value < below) &&
  (whole !== true || Number.isSafeInteger(value))
