// The alert doors before and after the contract is loaded.
import { expect, test } from "bun:test"
import * as AlertDoors from "../../src/api/AlertDoors.ts"
import * as Routes from "../../src/http/routes/Routes.ts"

test("the alert doors go by the contract, though they are open before it is loaded", () => {
  const known = (path: string) => Routes.find(path)?.operations.get("POST")
  expect(known(AlertDoors.CHARTING_PATH)).toEqual(AlertDoors.CHARTING)
  expect(known(AlertDoors.ALERT_PATH)).toEqual(AlertDoors.ALERT)
})
