// Every reason of the contract has a readable title.
import { expect, test } from "bun:test"
import { Reason } from "../../src/domain/Alert.ts"
import { titleOf } from "../../src/web/page/overview/reasons.ts"
import { words } from "../../src/web/page/parts/format.ts"

test.each(Reason.literals.map((it) => [it]))("the reason %s has a title of its own", (reason) => {
  expect(titleOf(reason)).not.toBe(words(reason))
})

test("an unknown reason is shown by its own name", () => expect(titleOf("brand_new")).toBe("Brand new"))
