import { suite } from "../../src/testing/contracts/Journal.ts"
import { promised } from "./ports.ts"

promised(suite)
