// What `check` and CI say of a failure: read from what `bun test` and the suites have printed.
import { expect, test } from "bun:test"
import { closing } from "../scripts/check/closing.ts"
import { read } from "../scripts/check/failures.ts"
import { type Run, test as tested } from "../scripts/check/tests.ts"

/** As Bun 1.4.5 printed it, but for shorter paths. */
const REPORT = `
test/c.test.ts:
1 | import { test, afterAll } from "bun:test"
2 | const folder = mkdtempSync("/tmp/c-")
3 | afterAll(() => { throw new Error("the folder is not empty") })
                                                              ^
error: the folder is not empty
      at <anonymous> (/tmp/test/c.test.ts:3:59)
(fail) (unnamed) [0.15ms]

test/b.test.ts:

# Unhandled error between tests
-------------------------------
error: Cannot find module './missing.ts' from '/tmp/test/b.test.ts'
-------------------------------


test/deep/a.test.ts:
error: expect(received).toBe(expected)

Expected: 2
Received: 1

(fail) books > with (fail) and 2 [0.13ms]
(fail) an alert is answered in time [50.95ms]
  ^ this test timed out after 50ms.

 2 pass
 1 skip
 4 fail
 1 error
 3 expect() calls
Ran 7 tests across 4 files. [61.00ms]
`

test("failed tests are read from the report of `bun test` with their files and what was said of each", () => {
  expect(read(REPORT)).toEqual([
    {
      file: "test/c.test.ts",
      title: "(unnamed)",
      text: [
        '3 | afterAll(() => { throw new Error("the folder is not empty") })',
        "                                                              ^",
        "error: the folder is not empty",
        "      at <anonymous> (/tmp/test/c.test.ts:3:59)"
      ]
    },
    {
      file: "test/b.test.ts",
      title: "an error outside of its tests",
      text: ["error: Cannot find module './missing.ts' from '/tmp/test/b.test.ts'"]
    },
    {
      file: "test/deep/a.test.ts",
      title: "books > with (fail) and 2",
      text: ["error: expect(received).toBe(expected)", "Expected: 2", "Received: 1"]
    },
    {
      file: "test/deep/a.test.ts",
      title: "an alert is answered in time",
      text: ["^ this test timed out after 50ms."]
    }
  ])
})

test("the report is read with colours, and as GitHub gets it", () => {
  const said = (text: string) => read(text).map(({ file, title }) => `${file}: ${title}`)
  const colours =
    "\ntest/a.test.ts:\n\u001b[0m\u001b[31m(fail)\u001b[0m\u001b[1m it holds\u001b[0m [1.00ms]\n"
  expect(said(colours)).toEqual(["test/a.test.ts: it holds"])
  const note = "::error file=test/a.test.ts,line=2,col=9,title=error: no::%0A\n"
  const grouped = `::group::test/a.test.ts:\nerror: no\n\n${note}(fail) it holds\n\n::endgroup::\n`
  expect(read(grouped)).toEqual([{ file: "test/a.test.ts", title: "it holds", text: ["error: no"] }])
})

/** Runs of tests, of which all files print this report, and a file alone ends with its code. */
const runs = (report: string, alone: Readonly<Record<string, number>>) => {
  const asked: Array<string> = []
  const run: Run = async (files) => {
    asked.push(...files)
    const code = files.length === 0 ? 1 : (alone[files.join()] ?? 1)
    return { code, output: report, errors: report, seconds: "" }
  }
  return { asked, run }
}

const told: Array<string> = []
const tell = (row: string) => void told.push(row)

test("a file whose process ended in the middle has failed", () => {
  const report =
    "test/d.test.ts:\n✗ test/d.test.ts (worker crashed: exit code 3)\n\ntest/e.test.ts:\n(fail) it holds\n"
  expect(read(report)).toEqual([
    { file: "test/d.test.ts", title: "outside of its tests", text: ["worker crashed: exit code 3"] },
    { file: "test/e.test.ts", title: "it holds", text: [] }
  ])
})

test("a file that passes the second time counts as passed, and is listed with what it said first", async () => {
  const { asked, run } = runs(REPORT, { "test/deep/a.test.ts": 0, "test/b.test.ts": 0 })
  const { failed, passed, second, skipped } = await tested(run, tell)
  expect(asked).toEqual(["test/c.test.ts", "test/b.test.ts", "test/deep/a.test.ts"])
  expect({ passed, skipped }).toEqual({ passed: 5, skipped: 1 })
  expect(failed.map((row) => row.split("\n")[0])).toEqual(["FAILED test/c.test.ts: (unnamed)"])
  expect(told.map((row) => row.split("\n")[0])).toContain("failed at first: test/c.test.ts: (unnamed)")
  expect(second[2]).toBe(
    "passed only when tried again: test/deep/a.test.ts: an alert is answered in time\n    ^ this test timed out after 50ms."
  )
})

test("nothing is run again where thirteen files fail, or the tests broke off", async () => {
  const all = Array.from({ length: 13 }, (_, file) => `test/${file}.test.ts:\n(fail) it holds\n`).join("")
  const many = runs(`${all} 13 fail\n`, {})
  expect((await tested(many.run, tell)).failed).toHaveLength(13)
  expect(many.asked).toEqual([])
  const broken = runs("test/a.test.ts:\n(fail) it holds\n 2 fail\n", { "test/a.test.ts": 0 })
  const { failed } = await tested(broken.run, tell)
  expect(failed.map((row) => row.split("\n")[0])).toEqual([
    "FAILED test/a.test.ts: it holds",
    "FAILED tests (exit 1)"
  ])
  const crashed = runs("panic: out of memory\n", {})
  expect((await tested(crashed.run, tell)).failed).toEqual([
    "FAILED tests (exit 1)\n    panic: out of memory"
  ])
  expect([...many.asked, ...broken.asked, ...crashed.asked]).toEqual([])
})

test("the last lines of CI name what failed in each suite, and count all", () => {
  const suites = [
    { name: "build", code: 0, output: "build    dist/signalbox, 9.1 s\n" },
    {
      name: "check",
      code: 1,
      output:
        "tests    FAILED: 1, 60.0 s\npassed only when tried again: test/b.test.ts: it waits\n    ^ too long\nFAILED test/a.test.ts: it holds\n    error: no\n900 passed, 1 failed, 2 skipped\n"
    },
    {
      name: "examples",
      code: 1,
      output:
        "  guide-1            Node       900 ms  {}\n! year               Bun        900 ms  exit 1:\n    RangeError\n  own-rule           Bun        400 ms  3 rules\n41 passed, 1 failed\n"
    },
    { name: "mutants", code: 1, output: "a fee is left out  MISSED     -\n90 passed, 1 failed\n" },
    {
      name: "smoke",
      code: 1,
      output: 'smoke    ok   it starts\nsmoke    FAIL a token: ""\n9 passed, 1 failed\n'
    },
    {
      name: "browser",
      code: 1,
      output: "  3  FAIL  it signs in     1.2 s\n     no button\n3 passed, 1 failed\n"
    },
    { name: "sim", code: 134, output: "Segmentation fault\n" }
  ]
  expect(closing(suites).join("\n")).toBe(`check FAILED (exit 1):
  passed only when tried again: test/b.test.ts: it waits
      ^ too long
  FAILED test/a.test.ts: it holds
      error: no
examples FAILED (exit 1):
  ! year               Bun        900 ms  exit 1:
      RangeError
mutants FAILED (exit 1):
  a fee is left out  MISSED     -
smoke FAILED (exit 1):
  smoke    FAIL a token: ""
browser FAILED (exit 1):
    3  FAIL  it signs in     1.2 s
       no button
sim FAILED (exit 134):
  Segmentation fault
1043 passed, 6 failed, 2 skipped`)
})

test("after a success the last lines are the count, and what passed only when tried again", () => {
  const output =
    "passed only when tried again: test/b.test.ts: it waits\n    ^ too long\n901 passed, 0 failed\n"
  expect(closing([{ name: "check", code: 0, output }])).toEqual([
    "check:",
    "  passed only when tried again: test/b.test.ts: it waits",
    "      ^ too long",
    "901 passed, 0 failed"
  ])
})

test("the more fails, the fewer lines each has, and none is left out", () => {
  const rows = Array.from({ length: 20 }, (_, file) =>
    [`FAILED test/${file}.test.ts: it holds`, ...Array.from({ length: 9 }, () => "    said")].join("\n")
  )
  const said = closing([{ name: "check", code: 1, output: `${rows.join("\n")}\n7 passed, 20 failed\n` }])
  expect(said).toHaveLength(1 + 20 * 3 + 1)
  expect(said.filter((line) => line.includes("FAILED test/"))).toHaveLength(20)
})

test("the last lines of CI say how long each suite took", () => {
  const suites = [
    { name: "build", code: 0, seconds: 21, output: "" },
    { name: "check", code: 0, seconds: 840, output: "7 passed, 0 failed" }
  ]
  expect(closing(suites)).toEqual(["took: build 21 s, check 840 s", "7 passed, 0 failed"])
})
