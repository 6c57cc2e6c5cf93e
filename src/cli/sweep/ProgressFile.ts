// The file of `sweep --resume`: results as they come, so that a sweep that was cut goes on where it was. A head and records
// of fixed size, each with a checksum: what a cut left half written is tried again. Equal inputs give equal results, so that
// a record that is there twice does no harm. A lock beside the file keeps a second sweep from writing to it; the kernel
// releases it however the first one ends.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Lock from "../../sqlite/client/Lock.ts"
import { BLOCK_WIDTH } from "../../trading/luck/Blocks.ts"
import { FileError } from "../backtest/files.ts"
import { PLACE_WIDTH, type Results } from "./Job.ts"

/** An open file. */
export interface ProgressFile {
  /** Takes over what the file has of a run. */
  readonly restore: (run: Results) => Effect.Effect<void, FileError>
  /** Adds what is done and not in the file yet. */
  readonly save: (run: Results) => Effect.Effect<void, FileError>
}

const HEAD_BYTES = 160
/** Checksum, run, code and place: four numbers of 4 bytes before the figures. */
const LEAD_BYTES = 16
/** Bytes of one read or write, or a single record. */
const BATCH_BYTES = 2 ** 20

/** Opens the file, or begins it. `digest` is of all inputs: the file has to be of the same. It is closed with the scope. */
export const open = (file: string, digest: string) =>
  Effect.map(
    locked(file).pipe(
      Effect.zipRight(
        Effect.acquireRelease(
          Effect.suspend(() => attempt(file, () => openSync(file, "a+", 0o600))),
          (descriptor) => Effect.sync(() => closeSync(descriptor))
        )
      ),
      Effect.tap((descriptor) => begin(file, descriptor, digest))
    ),
    (descriptor): ProgressFile => {
      const saved = new Map<number, Uint8Array>()
      const savedOf = ({ board, round }: Results) => {
        const known = saved.get(round) ?? new Uint8Array(board.done.length)
        saved.set(round, known)
        return known
      }
      return {
        restore: (run) => attempt(file, () => restore(descriptor, run, savedOf(run))),
        save: (run) => attempt(file, () => save(descriptor, run, savedOf(run)))
      }
    }
  )

const locked = (file: string) =>
  Effect.mapError(Layer.build(Lock.layer(file)), (error) => {
    const text =
      error._tag === "DatabaseServed"
        ? "is in use by another sweep: wait until it ends, or choose another name"
        : `cannot be locked: ${error.reason}`
    return new FileError({ file, text })
  })

const attempt = <A>(file: string, act: () => A) =>
  Effect.try({
    try: act,
    catch: (error) =>
      new FileError({
        file,
        text: `cannot be written: ${error instanceof Error ? error.message : "unknown"}`
      })
  })

const headOf = (digest: string): string =>
  `${JSON.stringify({ signalbox: "sweep in progress", format: 1, inputs: digest }).padEnd(HEAD_BYTES - 1)}\n`

/** Compares the head, or writes it to a file that has none. */
const begin = (file: string, descriptor: number, digest: string) =>
  Effect.flatMap(
    attempt(file, () => {
      const bytes = new Uint8Array(HEAD_BYTES)
      return new TextDecoder().decode(bytes.subarray(0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0)))
    }),
    (found) => {
      const head = headOf(digest)
      if (found === head) return Effect.void
      // A cut may have come while the head was written.
      if (head.startsWith(found))
        return attempt(file, () => {
          ftruncateSync(descriptor, 0)
          writeSync(descriptor, head)
          fsyncSync(descriptor)
        })
      const text = found.startsWith(head.slice(0, head.indexOf(digest)))
        ? "is of another sweep: its settings, grid, candles, alerts, options or the program's version differ; choose another name, or remove it"
        : "is there already and holds no progress of a sweep: choose another name"
      return new FileError({ file, text })
    }
  )

const bytesOf = ({ blocks }: Results): number =>
  LEAD_BYTES + (PLACE_WIDTH + blocks * BLOCK_WIDTH) * Float64Array.BYTES_PER_ELEMENT

const batchOf = (bytes: number): number => Math.max(1, Math.floor(BATCH_BYTES / bytes)) * bytes

const checksum = (record: Uint8Array): number => Bun.hash.crc32(record.subarray(4))

const restore = (descriptor: number, run: Results, saved: Uint8Array): void => {
  const bytes = bytesOf(run)
  // A half record at the end is cut off, so that the next one begins where a record may.
  const whole = Math.floor((fstatSync(descriptor).size - HEAD_BYTES) / bytes) * bytes
  ftruncateSync(descriptor, HEAD_BYTES + whole)
  const batch = new Uint8Array(batchOf(bytes))
  for (let at = HEAD_BYTES; at < HEAD_BYTES + whole; at += batch.length) {
    const read = readSync(descriptor, batch, 0, batch.length, at)
    for (let from = 0; from + bytes <= read; from += bytes)
      takeOver(batch.subarray(from, from + bytes), run, saved)
  }
}

const takeOver = (record: Uint8Array, run: Results, saved: Uint8Array): void => {
  const lead = new DataView(record.buffer, record.byteOffset, LEAD_BYTES)
  const place = lead.getUint32(12, true)
  if (lead.getUint32(0, true) !== checksum(record) || lead.getUint32(4, true) !== run.round) return
  if (place >= run.board.done.length) return
  const numbers = new Float64Array(record.slice(LEAD_BYTES).buffer)
  run.results.set(numbers.subarray(0, PLACE_WIDTH), place * PLACE_WIDTH)
  run.sums.set(numbers.subarray(PLACE_WIDTH), place * run.blocks * BLOCK_WIDTH)
  run.board.broken[place] = lead.getUint32(8, true)
  run.board.done[place] = 1
  saved[place] = 1
}

const save = (descriptor: number, run: Results, saved: Uint8Array): void => {
  const bytes = bytesOf(run)
  const batch = new Uint8Array(batchOf(bytes))
  let filled = 0
  let isNew = false
  const flush = () => {
    for (let at = 0; at < filled; ) at += writeSync(descriptor, batch, at, filled - at)
    isNew ||= filled > 0
    filled = 0
  }
  for (let place = 0; place < saved.length; place++) {
    if (saved[place] === 1 || Atomics.load(run.board.done, place) === 0) continue
    saved[place] = 1
    fill(batch.subarray(filled, filled + bytes), run, place)
    filled += bytes
    if (filled === batch.length) flush()
  }
  flush()
  if (isNew) fsyncSync(descriptor)
}

const fill = (record: Uint8Array, { blocks, board, results, round, sums }: Results, place: number): void => {
  const numbers = new Float64Array(PLACE_WIDTH + blocks * BLOCK_WIDTH)
  numbers.set(results.subarray(place * PLACE_WIDTH, (place + 1) * PLACE_WIDTH))
  numbers.set(sums.subarray(place * blocks * BLOCK_WIDTH, (place + 1) * blocks * BLOCK_WIDTH), PLACE_WIDTH)
  record.set(new Uint8Array(numbers.buffer), LEAD_BYTES)
  const lead = new DataView(record.buffer, record.byteOffset, LEAD_BYTES)
  lead.setUint32(4, round, true)
  lead.setUint32(8, board.broken[place] ?? 0, true)
  lead.setUint32(12, place, true)
  lead.setUint32(0, checksum(record), true)
}
