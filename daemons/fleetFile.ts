/**
 * Program of the build: writes what a process knows of daemons that it does not run (core/daemon/KnownDaemons.ts).
 * Argument: path of the file.
 */
import { writeFileSync } from "node:fs"
import { known } from "#core/daemon/KnownDaemons.ts"
import { daemons } from "./Suite.ts"

writeFileSync(process.argv[2]!, JSON.stringify(daemons.map(known)))
