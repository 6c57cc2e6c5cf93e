import { suite } from "../../src/testing/contracts/Accounts.ts"
import { promised } from "./ports.ts"

promised(suite)
