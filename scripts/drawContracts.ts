/**
 * Draws which daemons use which contracts, from the imports of the code, into docs/architecture.md:
 * `bin/pinned-node scripts/drawContracts.ts`. A test fails while the picture is old.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { drawContracts, withDrawing } from "./draw/Contracts.ts"
import { readSourceTree } from "../tests/support/SourceTree.ts"

const root = join(import.meta.dirname, "..")
const page = join(root, "docs/architecture.md")
writeFileSync(page, withDrawing(readFileSync(page, "utf8"), drawContracts(readSourceTree(root))))
