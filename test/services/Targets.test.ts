import { suite } from "../../src/testing/contracts/Targets.ts"
import { promised } from "./ports.ts"

promised(suite)
