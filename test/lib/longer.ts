// Files whose functions may be longer than the house allows: suites and components, which are lists and markup, and
// code that is not told in parts yet. A file leaves the list of the latter with its last long function.

/** Suites are lists of tests, and components are markup. */
export const LISTS = ["src/testing/contracts/", "src/web/page/"]

/** No file is added here. */
export const LONGER = [
  "src/cli/service/unit.ts",
  "src/domain/requests/TargetRequest.ts",
  "src/http/Sending.ts",
  "src/http/edge/Edge.ts",
  "src/http/edge/EventStreams.ts",
  "src/http/routes/Dashboard.ts",
  "src/http/routes/Incoming.ts",
  "src/http/routes/RealMoney.ts",
  "src/http/routes/Sessions.ts",
  "src/services/Journal.ts",
  "src/services/Portfolio.ts",
  "src/services/Strategies.ts",
  "src/services/StrategyStore.ts",
  "src/services/arming/Examination.ts",
  "src/services/arming/SharedAccount.ts",
  "src/services/feeds/Charts.ts",
  "src/services/money/CommandRunner.ts",
  "src/services/notify/couriers/DeliveryLoop.ts",
  "src/services/records/Overview.ts",
  "src/services/records/StrategyPages.ts",
  "src/sql/Accounts.ts",
  "src/sql/ExchangeAccounts.ts",
  "src/sql/Journal.ts",
  "src/sql/Sessions.ts",
  "src/sql/Signals.ts",
  "src/sql/StrategyStore.ts",
  "src/sql/Targets.ts",
  "src/sql/Trades.ts",
  "src/sql/journal/JournalQueue.ts",
  "src/sql/journal/JournalWriter.ts",
  "src/sql/rows/Followers.ts",
  "src/testing/ScriptedExchange.ts",
  "src/testing/TestServer.ts",
  "src/trading/Notes.ts"
]
