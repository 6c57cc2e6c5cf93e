// The report that the dashboard saves: the name of its file.
import { expect, test } from "bun:test"
import { fileNameOf } from "../../src/web/page/backtest/fileName.ts"

test("a report's file has a name that every file system takes, whatever the strategy is called", () => {
  expect(fileNameOf("Dips & <b>steps</b>")).toBe("dips-b-steps-b")
  expect(fileNameOf("../../etc/passwd")).toBe("etc-passwd")
  expect(fileNameOf("Überkauft")).toBe("uberkauft")
  expect(fileNameOf("日本")).toBe("back-test")
  expect(fileNameOf("a".repeat(300)).length).toBe(60)
})
