/** Runs programs for the packages. */
import { execFileSync, type ExecFileSyncOptions } from "node:child_process"

/** Largest output of a program. Unit: bytes. Reason: `npm sbom` prints 500 KB. */
const maxOutput = 64 * 1024 * 1024

/** Output of a program. Throws when it fails; what it says on standard error is shown. */
export const run = (command: string, args: ReadonlyArray<string>, options: ExecFileSyncOptions = {}): string =>
  execFileSync(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: maxOutput,
    ...options,
    encoding: "utf8"
  }) as string
