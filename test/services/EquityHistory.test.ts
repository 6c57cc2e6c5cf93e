import { suite } from "../../src/testing/contracts/EquityHistory.ts"
import { promised } from "./ports.ts"

promised(suite)
