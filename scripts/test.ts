// `npm test`: installs the real servers that tests need, runs the whole suite, and prints the counts on one line.
// Arguments are passed to vitest. Exits with vitest's exit code.

import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ensurePeers } from "../tests/support/peers/install.ts"
import { formatSummary, summarize } from "../tests/support/Summary.ts"
import { completeInstall } from "./devTools.ts"

const root = join(import.meta.dirname, "..")
const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"))
const report = join(folder, "report.json")

completeInstall()
await ensurePeers([
  "mail",
  "alertmanager",
  "redis",
  "systemd",
  "proxies",
  "speech",
  "qr",
  "browser",
  "dovecot24",
  "xml",
  "sip",
  "dns",
  "containers"
])

const code = await new Promise<number>((resolve) => {
  const vitest = spawn(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...process.argv.slice(2)
    ],
    { cwd: root, stdio: "inherit" }
  )
  // The terminal sends SIGINT to both processes; this one continues in order to print the counts.
  const forward = (signal: NodeJS.Signals) => void vitest.kill(signal)
  process.on("SIGINT", () => {}).on("SIGTERM", forward)
  vitest.once("error", (error) => {
    process.stderr.write(`vitest did not start: ${error.message}\n`)
    resolve(1)
  })
  vitest.once("exit", (status) => resolve(status ?? 1))
})

const summary = summarize(readReport(), code)
rmSync(folder, { recursive: true, force: true })
for (const test of summary.secondTries) process.stdout.write(`passed at the second try only: ${test}\n`)
process.stdout.write(`${formatSummary(summary)}\n`)
process.exitCode = code !== 0 ? code : summary.failed > 0 ? 1 : 0

function readReport(): string | undefined {
  try {
    return readFileSync(report, "utf8")
  } catch {
    return undefined
  }
}
