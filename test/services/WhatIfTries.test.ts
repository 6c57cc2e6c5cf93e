import { suite } from "../../src/testing/contracts/whatIf/WhatIfTries.ts"
import { promised, subjects } from "./ports.ts"

promised(suite, subjects)
