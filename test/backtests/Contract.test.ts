// The one contract suite of `Backtester`, over the layer in memory and over child processes.
import { test } from "bun:test"
import { Layer } from "effect"
import * as Children from "../../src/backtests/Children.ts"
import * as Memory from "../../src/Memory.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import { Meters } from "../../src/services/health/Meters.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suite } from "../../src/testing/contracts/Backtester.ts"

const ports = Layer.merge(Memory.ports, Meters.layer)
const inMemory = Layer.provideMerge(Backtester.layerMemory, ports)
const inChildren = Layer.provideMerge(Children.layer({ database: "none.db" }), ports)

Contract.tests(suite, inMemory, test)
Contract.tests(suite, inChildren, (name, run) => test(`${name}, in child processes`, run, 60_000), {
  clock: "real"
})
