// The page's URLs: every page can be reached by its own URL.
import { expect, test } from "bun:test"
import { href, parse } from "../../src/web/page/routes.ts"

test.each([
  ["", { page: "overview", rest: [], query: {} }],
  ["#/", { page: "overview", rest: [], query: {} }],
  ["#/strategies", { page: "strategies", rest: [], query: {} }],
  ["#/strategies/12?tab=trades", { page: "strategy", rest: ["12"], query: { tab: "trades" } }],
  ["#/strategies/new", { page: "strategies", rest: ["new"], query: {} }],
  ["#/strategies/12/edit", { page: "strategies", rest: ["12", "edit"], query: {} }],
  ["#/signals/%E2%9C%93%2F", { page: "signals", rest: ["✓/"], query: {} }],
  ["#/signals/%E2%9", { page: "signals", rest: ["%E2%9"], query: {} }]
])("the address is read as a page and its values: %s", (hash, route) =>
  expect<unknown>(parse(hash)).toEqual(route)
)

test.each(["#/strategy", "#/nowhere", "#/overview/../x"])("%s is the address of no page", (hash) => {
  const route = parse(hash)
  expect(route === undefined || route.page === "overview").toBe(true)
})

test("a URL leads to the page that made it", () => {
  expect(href("overview")).toBe("#/")
  expect(href("strategy", [12], { tab: "trades", page: undefined, q: "" })).toBe("#/strategies/12?tab=trades")
  expect(href("signals", ["a/b"])).toBe("#/signals/a%2Fb")
  expect(parse(href("alerts", [], { q: "ü&=#" }))).toEqual({ page: "alerts", rest: [], query: { q: "ü&=#" } })
})
