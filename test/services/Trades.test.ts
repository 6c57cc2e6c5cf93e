import { suite } from "../../src/testing/contracts/Trades.ts"
import { promised } from "./ports.ts"

promised(suite)
