// Division of the test files into vitest's projects, by what a file reaches through its imports. Pure.
// - unit: pure code; no process, no port, no database.
// - parts: databases, ports and servers.
// - whole: browsers, systemd, and folders that run the whole suite under load or failure.
// - timed: files that bound times of a system under load or failure. They run at the end, all at once and beside no
//   other file. Each leaves the machine idle for more than half of its time.
// - storm: the file that bounds the order of attempts under full load. It runs beside nothing else.
// - alone: files of `parts` that change their process for good. Each has its own; the others share.

import type { SourceText } from "./Arrows.ts"
import { type ImportGraph, importGraph, reachedFrom } from "./ImportGraph.ts"

export type TestProject = "unit" | "parts" | "whole" | "timed" | "storm" | "alone"

/** Folders of project `whole`. */
const wholeFolders = /^tests\/(chaos|crash|e2e|outage|storm|systemd|whole)\//

/** Files of project `alone`, each with its reason. */
const aloneFiles = new Set([
  // Node reads the certificates that this system trusts once in a process; the test adds one of its own before that.
  "tests/daemons/status-checker/checks/RealTargets.test.ts"
])

/** Files of project `timed`, each with the bound that other work on the machine would break. */
const timedFiles = new Set([
  // No look-up without answer for 3 s, the time-out of the switch.
  "tests/outage/lookUps.test.ts",
  // At most 9 s between two looks of a sweep that is killed.
  "tests/crash/domainSweep.test.ts",
  // Daemons that start late have read everything within ten seconds, also when all start at once.
  "tests/core/events/LateDaemons.test.ts"
])

/**
 * The file of project `storm`. Beside other files, too many alarms overtook others: 10.7 % of pairs in place of 10 %.
 * Its other bounds: 99 of 100 answers of the API within 2 s, and an answer to each mail before the listener's patience
 * ends.
 */
const stormFile = "tests/storm/storm.test.ts"

/** Modules that drive a browser or a booted system. */
const wholeModules = new Set(["playwright-core", "tests/support/peers/Chromium.ts", "tests/support/BootedSystemd.ts"])

/** Modules that start processes or threads, open ports, or connect to a server. */
export const partsModules: ReadonlySet<string> = new Set([
  ...["child_process", "cluster", "dgram", "dns", "dns/promises", "http", "http2", "https", "net", "sqlite", "tls"].map(
    (name) => `node:${name}`
  ),
  "node:worker_threads",
  "@effect/platform-node",
  "@effect/sql-pg",
  "esbuild",
  "imapflow",
  "nodemailer",
  "nodemailer/lib/smtp-connection",
  "oidc-provider",
  "openid-client",
  "pg-boss",
  "redis",
  "sip.js",
  "smtp-server",
  "undici",
  "vite",
  "vitest/node",
  "web-push",
  "ws",
  "tests/support/Postgres.ts"
])

/** Project of a test file. `reached`: everything that it imports. */
export const projectOf = (path: string, reached: ReadonlySet<string>): TestProject => {
  const reaches = (modules: ReadonlySet<string>) => [...reached].some((module) => modules.has(module))
  if (aloneFiles.has(path)) return "alone"
  if (timedFiles.has(path)) return "timed"
  if (path === stormFile) return "storm"
  if (wholeFolders.test(path) || reaches(wholeModules)) return "whole"
  return reaches(partsModules) ? "parts" : "unit"
}

/** Test files by project. `files`: all source files. */
export const divideTests = (
  files: ReadonlyArray<SourceText>,
  graph: ImportGraph = importGraph(files)
): Readonly<Record<TestProject, ReadonlyArray<string>>> => {
  const projects: Record<TestProject, Array<string>> = {
    unit: [],
    parts: [],
    whole: [],
    timed: [],
    storm: [],
    alone: []
  }
  for (const { path } of files) if (isTest(path)) projects[projectOf(path, reachedFrom(graph, path))].push(path)
  return projects
}

export const isTest = (path: string): boolean =>
  path.startsWith("tests/") && path.endsWith(".test.ts") && !path.startsWith("tests/bench/")
