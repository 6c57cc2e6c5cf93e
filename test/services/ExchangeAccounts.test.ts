import { describe, test } from "bun:test"
import { Layer } from "effect"
import { Accounts } from "../../src/services/Accounts.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { Vault } from "../../src/services/money/Vault.ts"
import { MemoryState } from "../../src/services/records/MemoryState.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suite } from "../../src/testing/contracts/money/ExchangeAccounts.ts"
import { onTemporaryFile } from "./ports.ts"

const memory = Layer.merge(Accounts.layerMemory, ExchangeAccounts.layerMemory).pipe(
  Layer.provide(MemoryState.layer)
)
const onSqlite = Sqlite.layerExchangeAccounts.pipe(
  Layer.provide(Vault.layerMemory),
  Layer.provideMerge(onTemporaryFile)
)

describe("memory", () => Contract.tests(suite, memory, test))
describe("SQLite", () => Contract.tests(suite, onSqlite, test))
