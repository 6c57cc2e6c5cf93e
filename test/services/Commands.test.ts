import { suite } from "../../src/testing/contracts/money/Commands.ts"
import { promised } from "./ports.ts"

promised(suite)
