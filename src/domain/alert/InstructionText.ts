// The optional fields of an alert in words, for people who try one: the command and the dashboard. Pure and without
// schemas, so that it runs in the page.

/** The fields as a response has them. */
export interface Details {
  readonly close_percent: number | null
  readonly reverse: boolean | null
  readonly tps: ReadonlyArray<{ readonly price: number; readonly percent: number }> | null
  readonly buy_percentage: number | null
  readonly growth_percent: number | null
  readonly either_side: boolean
}

/** A phrase for each field that is there. */
export const detailsText = (alert: Details): ReadonlyArray<string> => {
  const { buy_percentage: buys, close_percent: part, growth_percent: growth, reverse, tps } = alert
  return [
    ...(part === null ? [] : [`closes ${rounded(part)} % of what is held`]),
    ...(alert.either_side ? ["closes whichever side is held"] : []),
    ...(reverse === true ? ["closes the other side first"] : []),
    ...(reverse === false ? ["never closes the other side"] : []),
    ...(growth === null ? [] : [`adds ${rounded(growth)} % of what is held`]),
    ...(buys === null ? [] : [`buys for ${rounded(buys)} % of the equity`]),
    ...(tps === null
      ? []
      : [`targets ${tps.map(({ percent, price }) => `${price} for ${percent} %`).join(", ")}`])
  ]
}

/** A ratio of two sizes may have no end. */
const rounded = (percent: number): number => Number(percent.toFixed(4))
