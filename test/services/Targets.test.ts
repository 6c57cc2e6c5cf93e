import { suite } from "../../src/testing/contracts/notify/Targets.ts"
import { promised } from "./ports.ts"

promised(suite)
