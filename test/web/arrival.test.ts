// Sign-in links: which addresses are one, and that they are no page of their own.
import { expect, test } from "bun:test"
import { codeIn } from "../../src/web/page/arrival.ts"
import { parse } from "../../src/web/page/routes.ts"

test("the code is read from the hash of a sign-in link alone", () => {
  expect(codeIn("#/sign-in?code=7K2QD-9XB4M-AAAAA-BBBBB")).toBe("7K2QD-9XB4M-AAAAA-BBBBB")
  expect(codeIn("#/sign-in?code=a%20b&more=1")).toBe("a b")
  expect(codeIn("#/sign-in")).toBe("")
  for (const other of ["", "#/", "#/signals?code=AAAAA", "#/sign-in/x?code=A", "#sign-in?code=A"])
    expect([other, codeIn(other)]).toEqual([other, undefined])
  expect(parse("#/sign-in?code=AAAAA")).toBeUndefined()
})
