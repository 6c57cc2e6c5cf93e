// Reads the fields of plain-text messages for bots: assignments such as `SYMBOL=BTCUSDT;SIGNAL=BUY`, or codes such as
// `BUY_BINANCE_USDT-BTC`.
import type { Fields } from "../requests/Form.ts"

/** The most fields of one text. */
const MAX_FIELDS = 200

const ASSIGNED = /^([A-Za-z_][\w.-]{0,59})[ \t]{0,9}=[ \t]{0,9}(\S.*)$/

/**
 * The fields of an assignment list (separated by lines, semicolons or blanks) or of a code. Undefined if the text is
 * neither. Never throws.
 */
export const read = (text: string): Fields | undefined => code(text) ?? assigned(text)

/** Action, exchange and pair, then anything else, which is ignored. */
const CODE =
  /^(BUY|SELL|(?:ENTER|EXIT)-(?:LONG|SHORT|ALL))_([A-Z]{3,20}(?:[-_](?:FUTURES|SPOT|PERP|SWAP))?)_([A-Z0-9]{1,20}(?:[-/][A-Z0-9]{1,20})?(?:\.P)?)(?:_[\w.-]{0,120})?$/i

/** The fields of a code, as other services have their users send it. */
export const code = (text: string): Fields | undefined => {
  const [, action, exchange, symbol] = CODE.exec(text.trim()) ?? []
  return action === undefined || exchange === undefined || symbol === undefined
    ? undefined
    : { action, exchange, symbol, market_type: exchange }
}

const assigned = (text: string): Fields | undefined => {
  const parts = text.split(/[;\n\r]+|\|\|/).filter((part) => part.trim() !== "")
  // A single line is split at blanks, unless it then has a part that is no assignment.
  return (parts.length === 1 ? fieldsOf(text.split(/[\s,]+/)) : undefined) ?? fieldsOf(parts)
}

/** Undefined if any part is no assignment. */
const fieldsOf = (parts: ReadonlyArray<string>): Fields | undefined => {
  const fields: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const part of parts) {
    const words = part.trim()
    if (words === "") continue
    const [, name, value] = ASSIGNED.exec(words) ?? []
    if (name === undefined || value === undefined || ++count > MAX_FIELDS) return undefined
    fields[name] = name in fields && fields[name] !== value ? [fields[name], value].flat() : value
  }
  return count === 0 ? undefined : fields
}
