// The page's clock: a distant server clock is followed, small differences are ignored.
import { afterEach, expect, test } from "bun:test"
import { agree, now, reached } from "../../src/web/page/clock.ts"

const HOUR_MS = 3_600_000
/** In whole seconds; adding 0 makes 0 of -0. */
const gap = () => Math.round((now() - Date.now()) / 1000) + 0
const real = () => Date.now() / 1000
afterEach(() => agree(real()))

test("a distant server clock is followed, and a close one ignored", () => {
  agree(real() - 3600)
  expect(gap()).toBe(-3600)
  agree(real() + 60)
  expect(gap()).toBe(0)
})

test("events that are already past pull a slow clock forward, and late ones do not turn it back", () => {
  agree(real() + 3600)
  reached(Date.now() + 2 * HOUR_MS)
  expect(gap()).toBe(7200)
  reached(Date.now() + HOUR_MS)
  expect(gap()).toBe(7200)
  agree(real())
  reached(Date.now() + 60_000)
  expect(gap()).toBe(0)
})
