// Checks the machine: its clock, the disk's free space, and the permissions of the database's files.
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { candlesIn } from "../../prices/tape/Place.ts"
import { lockOf } from "../../sqlite/client/Lock.ts"
import { moment, size } from "../program/table.ts"
import { type Check, fail, GUIDE, ok, warn } from "./Check.ts"

/** Times in ms. `folder` is the file system's own time, if known. */
export interface Times {
  readonly now: number
  readonly folder: number | undefined
  readonly newestAt: number
}

const EARLIEST = Date.UTC(2025, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)
const SKEW_MS = 5_000
const SET_IT = "set the clock, best by a time service: timedatectl set-ntp true"

export const clock = ({ folder, newestAt, now }: Times): Check => {
  const shown = `${moment(now / 1000)} UTC`
  if (now < EARLIEST || now > LATEST)
    return fail("clock", `it says ${shown}, which cannot be right`, SET_IT, GUIDE.checks)
  if (newestAt > now + SKEW_MS) {
    const text = `it says ${shown}, but the database has been written to at ${moment(newestAt / 1000)}`
    return fail("clock", text, `${SET_IT}; otherwise alerts seem older or newer than they are`, GUIDE.checks)
  }
  if (folder !== undefined && Math.abs(folder - now) > SKEW_MS) {
    const text = `it says ${shown}, the file system of the database ${moment(folder / 1000)}`
    return warn("clock", text, "set the clock of the machine that the disk belongs to", GUIDE.checks)
  }
  return ok("clock", `${shown}, and nothing stored is later; there is no network time here to compare with`)
}

/** The file system's time, read from a new folder. */
export const timeOf = (folder: string): number | undefined => {
  try {
    const made = mkdtempSync(join(folder, ".signalbox-clock-"))
    const { mtimeMs } = statSync(made)
    rmdirSync(made)
    return mtimeMs
  } catch {
    return undefined
  }
}

const MIB = 2 ** 20
const LEAST_BYTES = 100 * MIB
const SCARCE_BYTES = 1024 * MIB

export const disk = (folder: string, free: number, used: number): Check => {
  const text = `${size(free)} free in ${folder}`
  const advice = "make room: without any, alerts are refused with 503 and bots wait"
  if (free < LEAST_BYTES) return fail("disk", text, advice, GUIDE.checks)
  if (free < SCARCE_BYTES) return warn("disk", text, advice, GUIDE.checks)
  if (free < 3 * used)
    return warn(
      "disk",
      `${text}, less than three times the ${size(used)} of the database`,
      "a backup and a restore need that much room",
      GUIDE.restore
    )
  return ok("disk", text)
}

/** Problems of recorded candles: none where all is well. */
export const recording = (folder: string, free: number): ReadonlyArray<Check> => {
  const candles = candlesIn(folder)
  if (existsSync(candles) && !mayWrite(candles))
    return [
      warn(
        "candles",
        `${candles} may not be written, so prices are not recorded`,
        "give it to the user of the server: chown -R",
        GUIDE.recordings
      )
    ]
  if (free >= SCARCE_BYTES) return []
  const text = `prices are not recorded in ${candles}: less than 1 GiB of disk is free`
  return [warn("candles", text, "make room, or switch recording off with --record off", GUIDE.recordings)]
}

export const free = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** A file or folder: its mode, its owner, and whether we may write to it. */
export interface Entry {
  readonly path: string
  readonly mode: number
  readonly isFolder: boolean
  readonly isOurs: boolean
  readonly isWritable: boolean
}

export const entriesOf = (db: string): ReadonlyArray<Entry> =>
  [dirname(resolve(db)), ...["", "-wal", "-shm"].map((end) => db + end), lockOf(db)]
    .filter(existsSync)
    .map(entryOf)

export const entryOf = (path: string): Entry => {
  const stats = statSync(path)
  return {
    path,
    mode: stats.mode & 0o777,
    isFolder: stats.isDirectory(),
    isOurs: stats.uid === process.getuid?.(),
    isWritable: mayWrite(path)
  }
}

const mayWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

export const modes = (entries: ReadonlyArray<Entry>): ReadonlyArray<Check> => {
  const faults = entries.flatMap((entry): ReadonlyArray<Check> => {
    const { isFolder, isOurs, mode, path } = entry
    if (!entry.isWritable) return [readOnly(entry)]
    const octal = mode.toString(8).padStart(4, "0")
    if (isFolder && (mode & 0o022) !== 0)
      return [
        fail("modes", `other users may put files into ${path} (${octal})`, ownFolder(path), GUIDE.files)
      ]
    if (isFolder && (mode & 0o077) !== 0)
      return [warn("modes", `other users may look into ${path} (${octal})`, ownFolder(path), GUIDE.files)]
    if (!isFolder && (mode & 0o077) !== 0)
      return [
        fail("modes", `other users may read or write ${path} (${octal})`, `chmod 600 ${path}`, GUIDE.files)
      ]
    if (!isOurs)
      return [warn("modes", `${path} belongs to another user`, "run this as the server's user", GUIDE.files)]
    return []
  })
  const files = entries.filter(({ isFolder }) => !isFolder).length
  return faults.length > 0
    ? faults
    : [ok("modes", `the folder and ${files} files are private to their owner`)]
}

/** A server writes to all of these files, and cannot start if it may not. */
export const readOnly = ({ isFolder, isOurs, path }: Entry): Check =>
  fail(
    "modes",
    `the user of this command may not write to ${path}, so a server cannot start as this user`,
    isOurs
      ? `chmod u+w${isFolder ? "x" : ""} ${path}, unless the disk itself is read-only`
      : "run this as the server's user",
    GUIDE.files
  )

const ownFolder = (path: string) => `give the database a folder of its own; if this is one: chmod 700 ${path}`
