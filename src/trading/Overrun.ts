/**
 * The most often that rules of one bot may act again on one event, the first action in each slot aside: a bot may close
 * all that it holds at once, however much that is. No sound rule comes near it; one that holds again right after it has
 * acted would never end.
 */
export const MAX_DECISIONS = 1000

/** What is told of an overrun to who asked for a back-test; `at` is the time of the candle, in words. */
export const overrunText = (at: string): string =>
  `the bot acts again and again at the candle of ${at}, over ${MAX_DECISIONS} times: the back-test ends there, and has no result; change the settings`
