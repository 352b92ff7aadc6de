/** A lock for builds into dist/: test processes that need the same build wait for it, in place of building it again. */
import { execFileSync, type StdioOptions } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "var")

/**
 * Runs a program while no other test process runs one by this function. The program itself must look whether its build
 * is up to date, because another process may have just finished it. The system releases the lock of a killed program.
 */
export const buildAlone = (command: string, args: ReadonlyArray<string>, stdio: StdioOptions): void => {
  mkdirSync(folder, { recursive: true })
  execFileSync("flock", [join(folder, "build.lock"), command, ...args], { cwd: root, stdio })
}
