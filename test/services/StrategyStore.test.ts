import { suite } from "../../src/testing/contracts/StrategyStore.ts"
import { promised } from "./ports.ts"

promised(suite)
