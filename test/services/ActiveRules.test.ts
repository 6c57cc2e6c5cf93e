import { suite } from "../../src/testing/contracts/ActiveRules.ts"
import { promised } from "./ports.ts"

promised(suite)
