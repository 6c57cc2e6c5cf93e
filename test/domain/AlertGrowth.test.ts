import { expect, test } from "bun:test"
import * as AlertReading from "../../src/domain/alert/AlertReading.ts"

// Plays somebody whose bodies are as large as the door lets in, and made to be slow: nested, or one name again and again.

const SMALL = 4 * 1024
const LARGE = 64 * 1024
/** How many times as long a body of 16 times the size may take, and what is too short to be measured, in ms. */
const MOST = 24
const NOISE_MS = 1

const filled = (size: number, join: string, unit: (index: number) => string): string => {
  const parts: Array<string> = []
  for (let length = 0; length < size; length += (parts.at(-1)?.length ?? 0) + join.length)
    parts.push(unit(parts.length))
  return parts.join(join)
}
const nested = (size: number, open: string, close: string): string => {
  const depth = Math.floor(size / (open.length + close.length))
  return `${open.repeat(depth)}"flat"${close.repeat(depth)}`
}

const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  "nested objects": (size) => nested(size, '{"market_position":', "}"),
  "objects that do not end": (size) => '{"a":'.repeat(size / 5),
  "nested lists": (size) => `{"a":${nested(size, "[", "]")}}`,
  "many names": (size) => `{${filled(size, ",", (index) => `"n${index}":1`)}}`,
  "one name of JSON": (size) => `{${filled(size, ",", () => '"market_position":"long"')}}`,
  "many spellings": (size) =>
    `{${filled(size, ",", (index) => `"market_position${"_".repeat(index % 40)}":"long"`)}}`,
  "a list of objects": (size) => `{"a":[${filled(size, ",", () => '{"position":"long"}')}]}`,
  "a list of numbers": (size) => `{"a":[${filled(size, ",", () => "1")}]}`,
  "one long name": (size) => `{"${"market_position_".repeat(size / 16)}":"long"}`,
  "a long name of capitals": (size) => `{"${"aA".repeat(size / 2)}":"long"}`,
  "one name of a form": (size) => filled(size, "&", (index) => `a=${index}`),
  "many names of a form": (size) => filled(size, "&", (index) => `a${index}=1`),
  "empty fields of a form": (size) => `a=1${"&=".repeat(size / 2)}`,
  "one name of a note": (size) => filled(size, ";", (index) => `A=${index}`),
  "a long word": (size) => `{"action":"${"buy ".repeat(size / 4)}"}`,
  "a long position": (size) => `{"action":"buy","market_position":"${" ".repeat(size)}flat"}`,
  "the start of another service's text": (size) => `order ${"a ".repeat(size / 2)}`,
  "many lines of a text": (size) => "pair: a\n".repeat(size / 8),
  "a position of many digits": (size) =>
    `{"market_position":"long","market_position_size":"${"9".repeat(size)}"}`,
  "a long size": (size) => `{"action":"buy","position_size":"${" ".repeat(size)}"}`
}

/** The least of several: what else the machine does only ever adds. */
const timed = (body: string): number => {
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < 5; count++) {
    const started = performance.now()
    AlertReading.read({ body, contentType: "", query: "signal_id=1&symbol=BTCUSDT" }, () => undefined)
    least = Math.min(least, performance.now() - started)
  }
  return least
}

test.each(Object.entries(SHAPES))("%s take time in proportion to their size", (_, shape) => {
  const ratio = () => timed(shape(LARGE)) / Math.max(timed(shape(SMALL)), NOISE_MS)
  // What grows with its square fails each time; on a busy machine others may once.
  const least = [1, 2, 3].reduce((found) => (found < MOST ? found : ratio()), ratio())
  expect(least).toBeLessThan(MOST)
})
