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
  readonly matches: (text: string) => boolean
  /** The text is that of a strategy's order, whatever it names. */
  readonly isStrategy?: true
}

/** Whether a text matches one of these. */
const anyOf =
  (...patterns: ReadonlyArray<RegExp>) =>
  (text: string): boolean =>
    patterns.some((pattern) => pattern.test(text))

/** An assignment, and the first character of its value. */
interface Assignment {
  readonly name: string
  readonly value: string
}

/** The assignments of the first line, such as `e=binance s=BTCUSDT b=long`, in any sequence. */
const assignments = (text: string): ReadonlyArray<Assignment> => {
  const [line = ""] = text.toLowerCase().split(/[\r\n]/, 1)
  return [...line.matchAll(/\b([a-z]+)=(\S)/g)].map(([, name = "", value = ""]) => ({ name, value }))
}

/** Whether one of the names is assigned; `word` only counts a word or a placeholder as its value. */
const assigns = (all: ReadonlyArray<Assignment>, names: ReadonlyArray<string>, word = false): boolean =>
  all.some(({ name, value }) => names.includes(name) && (!word || /[a-z{]/.test(value)))

const isAutoview = (text: string): boolean => {
  const all = assignments(text)
  if (assigns(all, ["type", "action"])) return false
  return assigns(all, ["e"]) && assigns(all, ["s"]) && assigns(all, ["b", "c"], true)
}

const isProfitView = (text: string): boolean => {
  const all = assignments(text)
  if (!assigns(all, ["sym"]) && !(assigns(all, ["symbol"]) && /pv\b/i.test(text))) return false
  return assigns(all, ["ex", "acc", "account"]) && assigns(all, ["side", "book", "b", "c", "ch"], true)
}

const COMMANDS: ReadonlyArray<Syntax> = [
  { name: "the syntax of Autoview and ProfitView", matches: isAutoview },
  { name: "ProfitView's syntax", matches: isProfitView }
]

const CORNIX = {
  targets: /\b(?:entry|take-?profit|stop) targets?:/i,
  closing: /^(?:close|cancel|exit) #?[A-Z0-9]{2,15}\/[A-Z]{3,5}\b/i,
  pair: /^#?[A-Z0-9]{2,15}\/[A-Z]{3,5}\b/i,
  target: /^(?:target|tp)s? ?\d/i,
  field: /^(?:pair|signal type|leverage|entry)\s{0,3}:/i,
  nextField: /^(?:pair|entry|leverage|take-?profit|targets?)\b/i
}

/** A signal of several lines: a pair with targets, or fields one below the other. */
const isCornix = (text: string): boolean => {
  if (CORNIX.targets.test(text) || CORNIX.closing.test(text)) return true
  const lines = text.split("\n")
  const isBelow = (pattern: RegExp, first: number): boolean =>
    lines.slice(first + 1, first + 8).some((line) => pattern.test(line))
  if (CORNIX.pair.test(lines[0] ?? "") && isBelow(CORNIX.target, 0)) return true
  return lines.some((line, index) => CORNIX.field.test(line) && isBelow(CORNIX.nextField, index))
}

const SYNTAXES: ReadonlyArray<Syntax> = [
  {
    name: "TradingView's default text",
    matches: anyOf(/\border \S{1,60}(?: |$)@ {0,2}\S{1,60} filled on /i, /\bnew strategy position is /i),
    isStrategy: true
  },
  {
    name: "TradingView's default text",
    matches: anyOf(
      /^\S{1,60}(?:, \w{1,4})? (?:crossing|crossing up|crossing down|greater than|less than) /i,
      /^\S{1,60}(?:, \w{1,4})? (?:entering|exiting|inside|outside) channel /i,
      /^\S{1,60}(?:, \w{1,4})? moving (?:up|down) /i,
      /\bany alert\(\) function call/i
    )
  },
  {
    name: "PineConnector's syntax",
    matches: anyOf(
      /^(?:\d{6,20}|license ?id) {0,3}, {0,3}(?:buy|sell|long|short|bull|bear|\{\{strategy)/i,
      /^(?:\d{6,20}|license ?id) {0,3}, {0,3}(?:close|cancel|newsltp|exit|eaon|eaoff)/i
    )
  },
  {
    name: "Alertatron's syntax",
    matches: anyOf(/^[\w-]{1,60}(?: {0,3}, {0,3}[\w-]{1,60}){0,5}\([^()]{1,60}\) {0,3}\{/)
  },
  { name: "Cornix's syntax", matches: isCornix },
  { name: "ProfitView's syntax", matches: anyOf(/^pv[\s:]/i) },
  // An indicator's alert condition: the symbol, then the condition's own title.
  {
    name: "TradingView's default text",
    matches: anyOf(/^[A-Z0-9]{2,15}(?:USDT|USDC|USD|BTC|ETH|EUR)(?:\.P|PERP)?(?:, \w{1,4})?: /)
  },
  ...COMMANDS
]

/** The refusal of a plain text in another service's syntax; undefined if it is none that is known. Never throws. */
export const refusal = (text: string): string | undefined => refusalBy(SYNTAXES, text)

/** The same for assignments that could be read as fields, in names that nobody else uses. */
export const ofCommands = (text: string): string | undefined => refusalBy(COMMANDS, text)

const refusalBy = (syntaxes: ReadonlyArray<Syntax>, text: string): string | undefined => {
  const start = text.slice(0, MAX_LENGTH).trim()
  const syntax = syntaxes.find(({ matches }) => matches(start))
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
