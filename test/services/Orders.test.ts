import { suite } from "../../src/testing/contracts/money/Orders.ts"
import { promised } from "./ports.ts"

promised(suite)
