// Recognizes plain texts in the syntax of other services, so that their refusal names the service and gives the message
// to paste. Every search ends after a few hundred characters.

/** The message for an alert of an indicator, and the shortest one for a strategy. */
const ALERT = '{"symbol":"{{ticker}}","type":"buy","time":"{{timenow}}"}'
const STRATEGY =
  '{"symbol":"{{ticker}}","action":"{{strategy.order.action}}","market_position":"{{strategy.market_position}}"}'

/** The most characters of a text that are looked at. */
const MAX_LENGTH = 600

interface Syntax {
  readonly name: string
  readonly pattern: RegExp
  readonly paste: string
}

const SYNTAXES: ReadonlyArray<Syntax> = [
  {
    name: "TradingView's default text",
    pattern: /\border \S{1,60}(?: |$)@ {0,2}\S{1,60} filled on |\bnew strategy position is /i,
    paste: STRATEGY
  },
  {
    name: "TradingView's default text",
    pattern:
      /^\S{1,60}(?:, \w{1,4})? (?:crossing(?: up| down)?|greater than|less than|(?:entering|exiting|inside|outside) channel|moving (?:up|down)) /i,
    paste: ALERT
  },
  {
    name: "PineConnector's syntax",
    pattern:
      /^(?:\d{6,20}|license ?id) {0,3}, {0,3}(?:buy|sell|long|short|bull|bear|close|cancel|newsltp|exit|eaon|eaoff)/i,
    paste: ALERT
  },
  { name: "Alertatron's syntax", pattern: /^[\w-]{1,60}\([^()]{1,60}\) {0,3}\{/, paste: ALERT },
  {
    name: "Cornix's syntax",
    pattern:
      /\b(?:entry|take-?profit|stop) targets?:|(?:^|\n)(?:pair|signal type|leverage|entry)\s{0,3}:[^\n]{1,80}\n(?:[^\n]{0,80}\n){0,6}(?:pair|entry|leverage|take-?profit|targets?)\b/i,
    paste: ALERT
  },
  { name: "ProfitView's syntax", pattern: /^pv[\s:]/i, paste: ALERT }
]

/** The refusal of a plain text in another service's syntax; undefined if it is none that is known. Never throws. */
export const refusal = (text: string): string | undefined => {
  const start = text.slice(0, MAX_LENGTH).trim()
  const syntax = SYNTAXES.find(({ pattern }) => pattern.test(start))
  return syntax === undefined ? undefined : worded(syntax)
}

/** The same for assignments that are read as fields: `e=binance s=BTCUSDT b=buy`, which nobody else names so. */
export const ofFields = (fields: object): string | undefined =>
  "e" in fields && "s" in fields && ("b" in fields || "c" in fields) && Object.keys(fields).every(isShort)
    ? worded({ name: "the syntax of Autoview and ProfitView", paste: ALERT })
    : undefined

/** Autoview's names have one letter or two. */
const isShort = (name: string): boolean => name.length <= 2

const worded = ({ name, paste }: Pick<Syntax, "name" | "paste">): string =>
  `is required, and this is ${name}: paste ${paste}`
