import { describe, expect, test } from "bun:test"
import { Arbitrary, Either, FastCheck } from "effect"
import { parseCreate, parseUpdate } from "../../src/domain/requests/SignalRequest.ts"
import { SignalDraft } from "../../src/domain/Signal.ts"

const drafts = Arbitrary.make(SignalDraft)
/** A draft by the names of requests. */
const sent = ({ displayName, ...draft }: SignalDraft) =>
  displayName === undefined ? draft : { ...draft, display_name: displayName }
const errorsOf = (parsed: ReturnType<typeof parseUpdate>) =>
  Either.match(parsed, { onLeft: ({ errors }) => errors, onRight: () => ({}) })

describe("a signal's request", () => {
  test("in JSON is read back as it was written", () => {
    FastCheck.assert(
      FastCheck.property(drafts, (draft) => {
        const flags = { ...sent(draft), active: draft.active ? 1 : 0 }
        expect(parseCreate("json", JSON.parse(JSON.stringify(sent(draft))))).toEqual(Either.right(draft))
        expect(parseCreate("json", flags)).toEqual(Either.right(draft))
        expect(parseUpdate("json", sent(draft))).toEqual(Either.right(draft))
      })
    )
  })
  test("as a form is read back as it was written", () => {
    FastCheck.assert(
      FastCheck.property(drafts, FastCheck.boolean(), (draft, digits) => {
        const flag = (value: boolean) => (digits ? String(Number(value)) : String(value))
        const form = { ...sent(draft), active: flag(draft.active), public: flag(draft.public) }
        expect(parseCreate("form", form)).toEqual(Either.right(draft))
      })
    )
  })
  test("may update any of its fields", () => {
    expect(parseUpdate("form", {})).toEqual(Either.right({}))
    expect(parseUpdate("json", { display_name: null })).toEqual(Either.right({ displayName: "" }))
    expect(parseUpdate("form", { active: "0", id: "9" })).toEqual(Either.right({ active: false }))
    expect(errorsOf(parseUpdate("json", { active: null, name: "" }))).toEqual({
      active: ["must be true or false"],
      name: ["must not be empty"]
    })
  })
  test("never makes the parser throw", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.anything(),
        FastCheck.dictionary(FastCheck.constantFrom("name", "active", "x"), FastCheck.anything()),
        (value, fields) => {
          for (const dialect of ["form", "json"] as const) {
            for (const it of [value, fields]) {
              parseCreate(dialect, it)
              parseUpdate(dialect, it)
            }
          }
        }
      )
    )
  })
})
