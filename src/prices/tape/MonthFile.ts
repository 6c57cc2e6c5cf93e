// A month's file of candles or spreads. Appending only adds a gzip member; a file found damaged is repaired: a last member cut
// short is removed, and a file of unknown content is moved to `FILE.damaged`.
import { copyFile, mkdir, open, readFile, rename, rm, truncate } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as Member from "./Member.ts"

/** The length of a file and the time of its last candle (ms; -1 for none). */
export interface Known {
  readonly bytes: number
  readonly last: number
}

type Bytes = Buffer<ArrayBuffer>

/** More than one torn write can leave: a longer rest is copied aside before it is cut off. */
const MAX_TORN_BYTES = 65_536

/**
 * Inspects and repairs a file. A last member cut short is removed, so that what follows stays readable; a file of
 * unknown content is moved to `FILE.damaged`. A gzip by another program is repacked.
 */
export const inspect = async (path: string): Promise<Known & { readonly mended: boolean }> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const bytes = await contents(path)
  const sound = soundPart(bytes)
  if (sound !== undefined) {
    const mended = sound.bytes < bytes.length
    if (bytes.length - sound.bytes > MAX_TORN_BYTES) await copyFile(path, `${path}.damaged`)
    if (mended) await truncate(path, sound.bytes)
    return { ...sound, mended }
  }
  if (isReadable(bytes)) await replace(path, await Member.repack(bytes))
  else await rename(path, `${path}.damaged`)
  return { ...(await inspect(path)), mended: true }
}

const contents = async (path: string): Promise<Bytes> => {
  try {
    return await readFile(path)
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return Buffer.alloc(0)
    throw cause
  }
}

/** The members of ours at the start of a file; undefined if it holds something else. */
const soundPart = (bytes: Bytes): Known | undefined => {
  const { end, last } = Member.chainOf(bytes)
  if (end === 0) return bytes.length === 0 || Member.isOurs(bytes) ? { bytes: 0, last: -1 } : undefined
  const at = lastIn(bytes.subarray(last, end))
  return at === undefined ? soundPart(bytes.subarray(0, last)) : { bytes: end, last: at }
}

/** The time of a member's last candle; undefined if unreadable. */
const lastIn = (member: Bytes): number | undefined => {
  try {
    const lines = new TextDecoder().decode(Member.unpack(member)).trimEnd()
    const at = Number.parseInt(lines.slice(lines.lastIndexOf("\n") + 1), 10)
    return Number.isNaN(at) ? undefined : at
  } catch {
    return undefined
  }
}

const isReadable = (bytes: Bytes): boolean => Member.isGzip(bytes) && lastIn(bytes) !== undefined

/** A row with its time (ms). */
export interface Timed {
  readonly at: number
}

/**
 * Appends rows later than the last one. Not synced: a power cut may lose the last half minute, a killed process
 * nothing. A partial write is undone.
 */
export const append = async <Row extends Timed>(
  path: string,
  rows: ReadonlyArray<Row>,
  known: Known,
  lineOf: (row: Row) => string
): Promise<Known> => {
  const fresh = rows.filter(({ at }) => at > known.last)
  const newest = fresh.at(-1)
  if (newest === undefined) return known
  const member = Member.encode(fresh.map((row) => `${lineOf(row)}\n`).join(""))
  const file = await open(path, "a", 0o600)
  try {
    await file.writeFile(member)
    return { bytes: known.bytes + member.length, last: newest.at }
  } catch (cause) {
    await file.truncate(known.bytes)
    throw cause
  } finally {
    await file.close()
  }
}

/** Repacks a file of many members as one. Written under another name first, so that a crash leaves one or the other. */
export const compact = async (path: string): Promise<void> => {
  if (await isOneMember(path)) return
  await replace(path, await Member.repack(await readFile(path)))
}

const isOneMember = async (path: string): Promise<boolean> => {
  const file = await open(path, "r")
  try {
    const header = Buffer.alloc(Member.HEADER_BYTES)
    await file.read(header, 0, header.length, 0)
    return Member.lengthAt(header, 0) === (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** Writes a file whole or not at all: under another name first, synced, then renamed. `part` is that name. */
export const replace = async (
  path: string,
  bytes: Bytes,
  part = join(dirname(path), `.${basename(path)}.part`)
): Promise<void> => {
  await rm(part, { force: true })
  const file = await open(part, "wx", 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
  const folder = await open(dirname(path), "r")
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
