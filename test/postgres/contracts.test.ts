// The contract suites of the ports that Postgres stores, each case on a fresh database of a real server.
import { describe, test } from "bun:test"
import { Effect, Layer } from "effect"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { RealTime } from "../../src/services/internal/RealTime.ts"
import { Vault } from "../../src/services/money/Vault.ts"
import * as Contract from "../../src/testing/Contract.ts"
import * as Accounts from "../../src/testing/contracts/Accounts.ts"
import * as ActiveRules from "../../src/testing/contracts/ActiveRules.ts"
import * as Copies from "../../src/testing/contracts/directory/Copies.ts"
import * as Directory from "../../src/testing/contracts/directory/Directory.ts"
import * as EquityHistory from "../../src/testing/contracts/EquityHistory.ts"
import * as Events from "../../src/testing/contracts/Events.ts"
import * as Idempotency from "../../src/testing/contracts/Idempotency.ts"
import * as Journal from "../../src/testing/contracts/Journal.ts"
import * as Markets from "../../src/testing/contracts/Markets.ts"
import * as Commands from "../../src/testing/contracts/money/Commands.ts"
import * as ExchangeAccounts from "../../src/testing/contracts/money/ExchangeAccounts.ts"
import * as Halts from "../../src/testing/contracts/money/Halts.ts"
import * as Orders from "../../src/testing/contracts/money/Orders.ts"
import * as Chats from "../../src/testing/contracts/notify/Chats.ts"
import * as Targets from "../../src/testing/contracts/notify/Targets.ts"
import * as Portfolio from "../../src/testing/contracts/Portfolio.ts"
import * as Results from "../../src/testing/contracts/Results.ts"
import * as RuleWitnesses from "../../src/testing/contracts/rules/RuleWitnesses.ts"
import * as Sessions from "../../src/testing/contracts/Sessions.ts"
import * as Signals from "../../src/testing/contracts/Signals.ts"
import * as SignInCodes from "../../src/testing/contracts/SignInCodes.ts"
import * as StrategyStore from "../../src/testing/contracts/StrategyStore.ts"
import * as Timeline from "../../src/testing/contracts/Timeline.ts"
import * as Trades from "../../src/testing/contracts/Trades.ts"
import * as WhatIfTries from "../../src/testing/contracts/whatIf/WhatIfTries.ts"
import { database, fresh, isInstalled } from "../lib/postgres/Database.ts"
import { vault } from "../services/ports.ts"

const ports = Layer.unwrapScoped(
  Effect.map(database(), ({ url }) =>
    Layer.mergeAll(
      Postgres.layerPorts,
      Layer.provide(Postgres.layerTargets, vault),
      Layer.provide(Postgres.layerExchangeAccounts, Vault.layerMemory)
    ).pipe(Layer.provideMerge(Postgres.layer({ url, node: fresh("node") })))
  )
)

// The ten minutes are people's, in real time, and here that is the test's.
const inTestTime = Layer.merge(ports, Layer.effect(RealTime, Effect.clock))

describe.skipIf(!isInstalled)("Postgres", () => {
  Contract.tests(Accounts.suite, ports, test)
  Contract.tests(Sessions.suite, inTestTime, test)
  Contract.tests(SignInCodes.suite, inTestTime, test)
  Contract.tests(WhatIfTries.suite, inTestTime, test)
  Contract.tests(Markets.suite, ports, test)
  Contract.tests(Journal.suite, ports, test)
  Contract.tests(Halts.suite, ports, test)
  Contract.tests(Commands.suite, ports, test)
  Contract.tests(Signals.suite, ports, test)
  Contract.tests(ActiveRules.suite, ports, test)
  Contract.tests(RuleWitnesses.suite, ports, test)
  Contract.tests(Targets.suite, ports, test)
  Contract.tests(Chats.suite, inTestTime, test)
  Contract.tests(Events.suite, ports, test)
  Contract.tests(EquityHistory.suite, ports, test)
  Contract.tests(Directory.suite, ports, test)
  Contract.tests(Copies.suite, ports, test)
  Contract.tests(ExchangeAccounts.suite, ports, test)
  Contract.tests(Portfolio.suite, ports, test)
  Contract.tests(Orders.suite, ports, test)
  Contract.tests(Trades.suite, ports, test)
  Contract.tests(Results.suite, ports, test)
  Contract.tests(Timeline.suite, ports, test)
  Contract.tests(Idempotency.suite, ports, test)
  Contract.tests(StrategyStore.suite, ports, test)
})
