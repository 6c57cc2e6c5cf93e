import { suite } from "../../src/testing/contracts/money/Halts.ts"
import { promised } from "./ports.ts"

promised(suite)
