import { suite } from "../../src/testing/contracts/directory/Directory.ts"
import { promised } from "./ports.ts"

promised(suite)
