import { suite } from "../../src/testing/contracts/Results.ts"
import { promised } from "./ports.ts"

promised(suite)
