// The alert doors before and after the contract is loaded.
import { expect, test } from "bun:test"
import * as AlertOperations from "../../src/api/AlertOperations.ts"
import * as Routes from "../../src/http/routes/Routes.ts"

test("the alert doors match the contract, although they open before it is loaded", () => {
  const known = (path: string) => Routes.find(path)?.operations.get("POST")
  expect(known(AlertOperations.CHARTING_PATH)).toEqual(AlertOperations.CHARTING)
  expect(known(AlertOperations.ALERT_PATH)).toEqual(AlertOperations.ALERT)
})
