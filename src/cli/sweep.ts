import { availableParallelism } from "node:os"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Pair } from "../domain/Market.ts"
import type { MarketFile } from "../domain/MarketFile.ts"
import { exchangeFor } from "../trading/Routing.ts"
import { type Family, settingsOf } from "../trading/Sweep.ts"
import { parse } from "../trading/SweepFile.ts"
import { count, type Grid, sample } from "../trading/SweepGrid.ts"
import { RANKS } from "../trading/SweepRank.ts"
import { splitTime } from "../trading/SweepSplit.ts"
import {
  alerts,
  balance,
  balanceOf,
  candles,
  catalogueFor,
  database,
  factsOf,
  markets,
  pairAndFile,
  progressBar,
  strategy
} from "./backtest.ts"
import { FileError, isRecord, readAlerts, readCandles, readJson, readMarket } from "./backtestFiles.ts"
import { json, usage } from "./shared.ts"
import * as Crew from "./sweep/Crew.ts"
import * as Document from "./sweep/Document.ts"
import * as Job from "./sweep/Job.ts"
import { outcomeOf } from "./sweep/Outcome.ts"
import * as Output from "./sweep/Output.ts"
import { report } from "./sweep/report.ts"
