// The adversary cuts a stream of frames anywhere, and sends what is none.
import { expect, test } from "bun:test"
import { MAX_BACKTEST_BYTES } from "../../src/api/Backtests.ts"
import * as Frames from "../../src/backtests/Frames.ts"
import * as Job from "../../src/backtests/Job.ts"

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const read = async (bytes: Uint8Array, size: number) => {
  const found: Array<readonly [Frames.Kind, string]> = []
  for await (const { kind, payload } of Frames.read(chunks(bytes, size)))
    found.push([kind, Job.textOf(payload)])
  return found
}
const written = (frames: ReadonlyArray<readonly [Frames.Kind, string]>) =>
  Buffer.concat(
    frames.flatMap(([kind, text]) => {
      const payload = Job.bytesOf(text)
      return [Frames.head(kind, payload.length), payload]
    })
  )

test("frames are read as they were written, wherever the stream is cut", async () => {
  const frames = [
    ["Read", ""],
    ["Markets", "é".repeat(100)],
    ["Run", ""],
    ["Done", "{}"]
  ] as const
  const bytes = written(frames)
  for (const size of [1, 2, 4, 5, 6, 7, 100, bytes.length])
    expect(await read(bytes, size)).toEqual([...frames])
})

test("an incomplete frame is not read, and malformed bytes are an error", async () => {
  const bytes = written([["Done", "{}"]])
  expect(await read(bytes.subarray(0, -1), 3)).toEqual([])
  const error = (...head: ReadonlyArray<number>) =>
    expect(read(Uint8Array.of(...head), 9)).rejects.toThrow("this is no frame")
  await error(100, 0, 0, 0, 0)
  await error(255, 0, 0, 0, 0)
  await error(4, 1, 0, 0, 2)
  await error(4, 255, 255, 255, 255)
})

test("the largest body fits into one frame", () => expect(Frames.MAX_BYTES).toBe(MAX_BACKTEST_BYTES))

test("a span without an end keeps that on its way to the child", () => {
  const asks = Job.json(Job.Asks)
  const open = { _tag: "OnRecord", of: "signal", id: 1, from: 0, until: Number.POSITIVE_INFINITY } as const
  expect(asks.read(asks.write({ places: [], alerts: open }))).toEqual({ places: [], alerts: open })
  expect(asks.read(asks.write({ places: [], alerts: undefined })).alerts).toBeUndefined()
})
