// The adversary: whoever overheard a node's proof, and keeps it: for a minute, over a restart of the node, or until the node
// has forgotten it.
import { expect, test } from "bun:test"
import { Redacted } from "effect"
import * as NodeProof from "../../src/cluster/NodeProof.ts"

const ASKED = { node: "10.0.0.2:8090", path: "/bots/1" }
const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000
/** The proofs that a node of the last test remembers. */
const MOST = 50

/** A node by a clock that the test sets. */
const node = (at = START, most?: number) => {
  const clock = { at }
  return { clock, ...NodeProof.make(Redacted.make(new Uint8Array(32).fill(1)), () => clock.at, most) }
}

test("a proof holds once, for a minute, and for what was asked alone", () => {
  const [caller, asked] = [node(), node()]
  const { header, nonce } = caller.prove(ASKED)
  expect(asked.accept(header, { ...ASKED, node: "10.0.0.3:8090" })).toBeUndefined()
  expect(asked.accept(header, { ...ASKED, path: "/bots/2" })).toBeUndefined()
  expect(asked.accept(header, ASKED)).toBe(nonce)
  expect(asked.accept(header, ASKED)).toBeUndefined()
  const old = caller.prove(ASKED)
  asked.clock.at += MINUTE + 1
  expect(asked.accept(old.header, ASKED)).toBeUndefined()
})

test("a proof that was altered, or is none, does not hold", () => {
  const asked = node()
  const { header } = node().prove(ASKED)
  const [at = "", nonce = "", signature = ""] = header.split(".")
  const flaws = [
    undefined,
    "",
    "..",
    `${Number(at) + 1}.${nonce}.${signature}`,
    `${at}.${nonce.replace(/./, "g")}.${signature}`,
    `${at}.${nonce}.${signature}0`,
    `NaN.${nonce}.${signature}`
  ]
  for (const flaw of flaws) expect(asked.accept(flaw, ASKED)).toBeUndefined()
  expect(asked.accept(header, ASKED)).toBe(nonce)
})

test("clocks may differ by seconds, and a node that began anew takes no proof of before", () => {
  const late = node(START - 5000)
  const asked = node(START - 10_000)
  expect(asked.accept(late.prove(ASKED).header, ASKED)).toBeDefined()
  const before = node(START - 1).prove(ASKED)
  expect(node(START).accept(before.header, ASKED)).toBeUndefined()
  expect(node(START).accept(node(START + 5000).prove(ASKED).header, ASKED)).toBeDefined()
})

test("a proof that is not remembered any more is refused all the same", () => {
  const [caller, asked] = [node(), node(START, MOST)]
  const first = caller.prove(ASKED)
  expect(asked.accept(first.header, ASKED)).toBe(first.nonce)
  for (let count = 0; count < MOST; count++) {
    caller.clock.at = START + 1 + (count % 10)
    expect(asked.accept(caller.prove(ASKED).header, ASKED)).toBeDefined()
  }
  expect(asked.accept(first.header, ASKED)).toBeUndefined()
})
