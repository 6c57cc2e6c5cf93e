import { subjects } from "./ports.ts"
import { contract } from "./Results.contract.ts"

for (const [name, subject] of subjects) contract(name, subject)
