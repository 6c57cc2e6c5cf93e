// Measures how deep a JSON text nests, in one pass over its bytes, before it is parsed.

const QUOTE = 34
const BACKSLASH = 92
const LIST = 91
const LIST_END = 93
const OBJECT = 123
const OBJECT_END = 125

/** Whether arrays and objects nest deeper than `levels`. For text that is not JSON the result is arbitrary. */
export const isDeeperThan = (levels: number, bytes: Uint8Array): boolean => {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === LIST || byte === OBJECT) {
      if (++depth > levels) return true
    } else if (byte === LIST_END || byte === OBJECT_END) depth--
  }
  return false
}
