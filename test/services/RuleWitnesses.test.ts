import { suite } from "../../src/testing/contracts/rules/RuleWitnesses.ts"
import { promised } from "./ports.ts"

promised(suite)
