import { suite } from "../../src/testing/contracts/Halts.ts"
import { promised } from "./ports.ts"

promised(suite)
