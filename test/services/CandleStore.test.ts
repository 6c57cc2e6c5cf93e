import { describe, test } from "bun:test"
import { Effect, Layer } from "effect"
import * as StoredCandles from "../../src/prices/StoredCandles.ts"
import { CandleStore } from "../../src/services/feeds/CandleStore.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suite } from "../../src/testing/contracts/CandleStore.ts"
import { folder } from "./ports.ts"

const onFiles = Layer.unwrapScoped(Effect.map(folder, (path) => StoredCandles.layer({ folder: path })))

describe("CandleStore: memory", () => Contract.tests(suite, CandleStore.layerMemory, test))
describe("CandleStore: files", () => Contract.tests(suite, onFiles, test))
