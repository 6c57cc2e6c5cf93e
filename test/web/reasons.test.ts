import { expect, test } from "bun:test"
import { Reason } from "../../src/domain/Alert.ts"
import { titleOf } from "../../src/web/page/overview/reasons.ts"
import { words } from "../../src/web/page/parts/format.ts"

test.each(Reason.literals.map((it) => [it]))("%s has a title of its own", (reason) => {
  expect(titleOf(reason)).not.toBe(words(reason))
})

test("a reason that is not known is told all the same", () => expect(titleOf("brand_new")).toBe("Brand new"))
