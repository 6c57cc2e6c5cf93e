// Recognizes plain texts in the syntax of other services, so that their refusal names the service and gives the message
// to paste: with the chart's own symbol, never with a coin. Every search ends after a few hundred characters.
import type { AlertType } from "../Alert.ts"

/** The shortest message for all orders of a chart strategy. */
const STRATEGY =
  '{"symbol":"{{ticker}}","action":"{{strategy.order.action}}","market_position":"{{strategy.market_position}}"}'

/** The message for an alert of an indicator. */
const alertOf = (type: AlertType) => `{"symbol":"{{ticker}}","type":"${type}","time":"{{timenow}}"}`

/** The most characters of a text that are looked at. */
const MAX_LENGTH = 600

interface Syntax {
  readonly name: string
  readonly pattern: RegExp
  /** The text is that of a strategy's order, whatever it names. */
  readonly isStrategy?: true
}

/** Commands of assignments, such as `e=binance s=BTCUSDT b=long`, in any sequence and one or more a line. */
const COMMANDS: ReadonlyArray<Syntax> = [
  {
    name: "the syntax of Autoview and ProfitView",
    pattern: /^(?=.{0,200}\be=\S)(?=.{0,200}\bs=\S)(?=.{0,200}\b[bc]=[a-z{])(?!.{0,200}\b(?:type|action)=)/i
  },
  {
    name: "ProfitView's syntax",
    pattern:
      /^(?=.{0,200}\b(?:sym|symbol)=\S)(?=.{0,200}\b(?:ex|acc|account)=\S)(?=.{0,200}\b(?:side|book|b|c|ch)=[a-z{])(?=.{0,200}\bsym=|pv\b)/i
  }
]

const SYNTAXES: ReadonlyArray<Syntax> = [
  {
    name: "TradingView's default text",
    pattern: /\border \S{1,60}(?: |$)@ {0,2}\S{1,60} filled on |\bnew strategy position is /i,
    isStrategy: true
  },
  {
    name: "TradingView's default text",
    pattern:
      /^\S{1,60}(?:, \w{1,4})? (?:crossing(?: up| down)?|greater than|less than|(?:entering|exiting|inside|outside) channel|moving (?:up|down)) |: any alert\(\) function call/i
  },
  {
    name: "PineConnector's syntax",
    pattern:
      /^(?:\d{6,20}|license ?id) {0,3}, {0,3}(?:buy|sell|long|short|bull|bear|close|cancel|newsltp|exit|eaon|eaoff|\{\{strategy)/i
  },
  {
    name: "Alertatron's syntax",
    pattern: /^[\w-]{1,60}(?: {0,3}, {0,3}[\w-]{1,60}){0,5}\([^()]{1,60}\) {0,3}\{/
  },
  {
    name: "Cornix's syntax",
    pattern:
      /\b(?:entry|take-?profit|stop) targets?:|(?:^|\n)(?:pair|signal type|leverage|entry)\s{0,3}:[^\n]{1,80}\n(?:[^\n]{0,80}\n){0,6}(?:pair|entry|leverage|take-?profit|targets?)\b|^#?[A-Z0-9]{2,15}\/[A-Z]{3,5}\b[^\n]{0,40}\n(?:[^\n]{0,80}\n){0,6}(?:target|tp)s? ?\d|^(?:close|cancel|exit) #?[A-Z0-9]{2,15}\/[A-Z]{3,5}\b/i
  },
  { name: "ProfitView's syntax", pattern: /^pv[\s:]/i },
  // An indicator's alert condition: the symbol, then the condition's own title.
  {
    name: "TradingView's default text",
    pattern: /^[A-Z0-9]{2,15}(?:USDT|USDC|USD|BTC|ETH|EUR)(?:\.P|PERP)?(?:, \w{1,4})?: /
  },
  ...COMMANDS
]

/** The refusal of a plain text in another service's syntax; undefined if it is none that is known. Never throws. */
export const refusal = (text: string): string | undefined => refusalBy(SYNTAXES, text)

/** The same for assignments that could be read as fields, in names that nobody else uses. */
export const ofCommands = (text: string): string | undefined => refusalBy(COMMANDS, text)

const refusalBy = (syntaxes: ReadonlyArray<Syntax>, text: string): string | undefined => {
  const start = text.slice(0, MAX_LENGTH).trim()
  const syntax = syntaxes.find(({ pattern }) => pattern.test(start))
  if (syntax === undefined) return undefined
  const isOrder = syntax.isStrategy === true || start.includes("{{strategy.")
  return `is required, and this is ${syntax.name}: paste ${isOrder ? STRATEGY : alertOf(typeIn(start))}`
}

const CLOSING = /\b(?:close|exit|c=pos|ch=pos)|position=0/i
const SIDE = /(?:^|[^a-z])(?:close|exit)?(buy|sell|long|short|bull|bear)/i

/** The type that a text seems to want; `buy` where it names none. */
const typeIn = (text: string): AlertType => {
  const side = SIDE.exec(text)?.[1]?.toLowerCase()
  const isDown = side === "short" || side === "bear"
  if (CLOSING.test(text))
    return side === undefined || side === "sell" ? "sell" : isDown ? "close_short" : "close_long"
  if (side === "sell") return "sell"
  if (side === "long") return "long"
  return isDown ? "short" : "buy"
}
