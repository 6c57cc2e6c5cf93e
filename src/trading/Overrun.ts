// The bound on a bot that never comes to rest: settings may contradict so that a rule holds again right after it acted.

/**
 * The most actions of one bot on one event, not counting the first in each slot (a bot may close all that it holds at
 * once). No sound settings come near it.
 */
export const MAX_DECISIONS = 1000

/** The error of a back-test that overran; `at` is the candle's time, as a text. */
export const overrunText = (at: string): string =>
  `the bot acted over ${MAX_DECISIONS} times at the candle of ${at}: the back-test ends there without a result; change the settings`
