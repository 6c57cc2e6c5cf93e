// Lists what was recorded: the markets, their first and last candle, and their size. Only the ends of files are read,
// and again only the part by which they grew.
import { open, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { isKnownExchange, isPair, type MarketId, marketKey } from "../../domain/Market.ts"
import type { Recording } from "../../services/Backtester.ts"
import * as Member from "./Member.ts"
import * as Place from "./Place.ts"
import { filesAmong } from "./SeriesFiles.ts"

/** The recordings of a folder of candles. */
export const make = (candles: string): Effect.Effect<ReadonlyArray<Recording>> => {
  const known = new Map<string, Ends>()
  return Effect.gen(function* () {
    const markets = yield* Effect.promise(() => marketsIn(candles))
    const found = yield* Effect.forEach(
      markets,
      (market) => Effect.promise(() => recordingOf(candles, market, known)),
      { concurrency: 8 }
    )
    return found
      .filter((recording) => recording !== undefined)
      .sort((one, other) => (marketKey(one) < marketKey(other) ? -1 : 1))
  })
}

/** The end of a file of this length, and the times of its first and last row (ms). */
interface Ends {
  readonly bytes: number
  readonly end: number
  readonly first: number
  readonly last: number
}

const namesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    return (await readdir(folder)).sort()
  } catch {
    // Nothing was recorded, or it may not be read.
    return []
  }
}

/** The markets that have a folder. */
export const marketsIn = async (candles: string): Promise<ReadonlyArray<MarketId>> => {
  const markets: Array<MarketId> = []
  for (const exchange of (await namesIn(candles)).filter(isKnownExchange)) {
    for (const name of await namesIn(join(candles, exchange))) {
      const [, base, quote, kind] = /^([A-Z0-9]+)-([A-Z0-9]+)-(spot|swap)$/.exec(name) ?? []
      const pair = `${base}/${quote}`
      if (isPair(pair) && (kind === "spot" || kind === "swap")) markets.push({ exchange, pair, kind })
    }
  }
  return markets
}

const recordingOf = async (
  candles: string,
  market: MarketId,
  known: Map<string, Ends>
): Promise<Recording | undefined> => {
  const folder = Place.folderOf(candles, market)
  const files = filesAmong(await namesIn(folder))
  const paths = files.map(({ name }) => join(folder, name))
  try {
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    const sized = paths.map((path, index) => ({
      path,
      size: sizes[index] ?? 0,
      isDay: files[index]?.fetchedUntil !== undefined
    }))
    const ends = await endsAmong(
      [sized.filter(({ isDay }) => isDay), sized.filter(({ isDay }) => !isDay)],
      known
    )
    return ends === undefined ? undefined : { ...market, ...ends, bytes }
  } catch {
    // Being replaced or removed just now, or damaged: omitted this time.
    return undefined
  }
}

interface Sized {
  readonly path: string
  readonly size: number
}

/** The first and the last row of downloaded days and of recorded months; a day may be empty. */
const endsAmong = async (sorts: ReadonlyArray<ReadonlyArray<Sized>>, known: Map<string, Ends>) => {
  const firsts: Array<number> = []
  const lasts: Array<number> = []
  for (const files of sorts) {
    for (const { path, size } of files) {
      const { first } = await endsOf(path, size, known)
      if (first < 0) continue
      firsts.push(first)
      break
    }
    for (const { path, size } of [...files].reverse()) {
      const { last } = await endsOf(path, size, known)
      if (last < 0) continue
      lasts.push(last)
      break
    }
  }
  return firsts.length === 0 ? undefined : { from: Math.min(...firsts), to: Math.max(...lasts) }
}

const endsOf = async (path: string, bytes: number, known: Map<string, Ends>): Promise<Ends> => {
  const before = known.get(path)
  if (before?.bytes === bytes) return before
  const grown = before !== undefined && before.bytes < bytes ? before : undefined
  const ends = (grown && (await continued(path, bytes, grown))) ?? (await measured(path, bytes))
  known.set(path, ends)
  return ends
}

/** A file that grew by members of ours: only the last of them is unpacked. */
const continued = async (path: string, bytes: number, before: Ends): Promise<Ends | undefined> => {
  const { end, last } = Member.chainOf(await piece(path, before.end, bytes))
  if (end === 0) return undefined
  const rows = await unpacked(await piece(path, before.end + last, before.end + end))
  return { bytes, end: before.end + end, first: before.first, last: lastIn(rows) }
}

const measured = async (path: string, bytes: number): Promise<Ends> => {
  const content = await piece(path, 0, bytes)
  const chain = Member.chainOf(content)
  const last = await unpacked(chain.end > 0 ? content.subarray(chain.last, chain.end) : content)
  const beginning = await unpacked(content.subarray(0, BEGINNING_BYTES))
  return { bytes, end: chain.end, first: firstIn(beginning), last: lastIn(last) }
}

/** More than a packed row takes. */
const BEGINNING_BYTES = 4_096

const piece = async (path: string, from: number, to: number): Promise<Buffer<ArrayBuffer>> => {
  const file = await open(path, "r")
  try {
    const bytes = Buffer.alloc(to - from)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Unpacks what it can of bytes that may be cut short, off this thread. */
const unpacked = async (bytes: Uint8Array): Promise<string> => {
  const { constants, gunzip } = await import("node:zlib")
  return new Promise((resolve, reject) =>
    gunzip(bytes, { finishFlush: constants.Z_SYNC_FLUSH }, (error, plain) =>
      error === null ? resolve(plain.toString("latin1")) : reject(error)
    )
  )
}

const timeOf = (line: string): number => {
  const at = Number.parseInt(line, 10)
  return Number.isNaN(at) ? -1 : at
}
const firstIn = (text: string): number => timeOf(text)
const lastIn = (text: string): number => {
  const lines = text.trimEnd()
  return timeOf(lines.slice(lines.lastIndexOf("\n") + 1))
}
