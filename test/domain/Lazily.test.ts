import { expect, test } from "bun:test"
import { lazily } from "../../src/domain/internal/Lazily.ts"

test("a function is made at its first call, and once", () => {
  let made = 0
  const add = lazily(() => {
    made++
    return (one: number, other: number) => one + other
  })
  expect(made).toBe(0)
  expect([add(1, 2), add(3, 4), made]).toEqual([3, 7, 1])
})

test("a function that cannot be made fails at each call", () => {
  const broken = lazily((): (() => number) => {
    throw new Error("no")
  })
  expect(() => broken()).toThrow("no")
  expect(() => broken()).toThrow("no")
})
