import { copyFile, mkdir, open, readFile, rename, rm, truncate } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { type ExactCandle, textOf } from "../../domain/candles/CandleRow.ts"
import * as Member from "./Member.ts"

/** What is known of a file: how long it is, and when its last candle begins (ms; -1 for none). */
export interface Known {
  readonly bytes: number
  readonly last: number
}

type Bytes = Buffer<ArrayBuffer>

/** More than a last piece of one writing can be: what is beyond is kept beside the file before it is cut off. */
const MAX_TORN_BYTES = 65_536

/**
 * What a file is found to be. A last piece that was cut short is cut off, so that what is written next can be read; a
 * file that is nobody's is put aside as `FILE.damaged`. A gzip of somebody else's making is taken over.
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

/** The members of ours that a file begins with; none where it holds something else. */
const soundPart = (bytes: Bytes): Known | undefined => {
  const { end, last } = Member.chainOf(bytes)
  if (end === 0) return bytes.length === 0 || Member.isOurs(bytes) ? { bytes: 0, last: -1 } : undefined
  const at = lastIn(bytes.subarray(last, end))
  return at === undefined ? soundPart(bytes.subarray(0, last)) : { bytes: end, last: at }
}

/** When the last candle of a member begins. */
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

/**
 * Adds candles that are later than the last one. Not on disk at once: a power cut may take the last half minute, a kill
 * takes nothing. What was written in part is taken back.
 */
export const append = async (
  path: string,
  candles: ReadonlyArray<ExactCandle>,
  known: Known
): Promise<Known> => {
  const fresh = candles.filter(({ at }) => at > known.last)
  const newest = fresh.at(-1)
  if (newest === undefined) return known
  const member = Member.encode(fresh.map((candle) => `${textOf(candle)}\n`).join(""))
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

/** Makes one member of a file that grew by many. On disk under another name first: a crash leaves the one or the other. */
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

const replace = async (path: string, bytes: Bytes): Promise<void> => {
  const part = join(dirname(path), `.${basename(path)}.part`)
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
