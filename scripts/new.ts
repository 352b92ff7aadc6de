// `npm run new -- daemon NAME` and `npm run new -- feature DAEMON NAME`: writes a working skeleton with a test, adds it
// to the lists of daemons, and formats the files. Refuses existing names.

import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { camel, daemonFiles, featureFiles } from "./new/Templates.ts"

const root = process.cwd()
const usage = "usage: npm run new -- daemon NAME | npm run new -- feature DAEMON NAME"

/** First feature of a new daemon. */
const firstFeature = "entries"

const [kind, first, second] = process.argv.slice(2)
if (kind === "daemon" && first !== undefined) addDaemon(first)
else if (kind === "feature" && first !== undefined && second !== undefined) addFeature(first, second)
else fail(usage)

function addDaemon(daemon: string): void {
  checkName(daemon)
  if (existsSync(join(root, "daemons", daemon))) fail(`daemons/${daemon} exists`)
  const port = nextPort()
  write(daemonFiles(daemon, port, firstFeature))
  edit("daemons/Daemons.ts", (text) =>
    text.replace(
      /\n\}\n$/,
      `,\n  "${daemon}": () => import("./${daemon}/Daemon.ts").then((module) => module.${camel(daemon)})\n}\n`
    )
  )
  edit("README.md", (text) =>
    text.replace(
      /^\| gateway \|/m,
      `| [${daemon}](daemons/${daemon}/README.md) | what it is for, in one sentence | ${port} |\n| gateway |`
    )
  )
  edit("systemd/README.md", (text) =>
    text.replace(/^(systemctl enable .*) signalbox\.target$/m, `$1 signalbox@${daemon}.service signalbox.target`)
  )
  finish(daemon, firstFeature)
}

function addFeature(daemon: string, feature: string): void {
  checkName(feature)
  const declaration = `daemons/${daemon}/Daemon.ts`
  if (!existsSync(join(root, declaration))) fail(`there is no ${declaration}`)
  if (!readFileSync(join(root, declaration), "utf8").includes("features: ["))
    fail(`${daemon} is no list of features yet`)
  if (existsSync(join(root, "daemons", daemon, feature))) fail(`daemons/${daemon}/${feature} exists`)
  edit(declaration, (text) =>
    withImport(text, `import { ${camel(feature)} } from "./${feature}/Feature.ts"`).replace(
      /(features: \[[^\]]*?)\s*\]/,
      `$1, ${camel(feature)}]`
    )
  )
  finish(daemon, feature)
}

/** Writes the feature and its command, and updates the generated documents. */
function finish(daemon: string, feature: string): void {
  const command = camel(`${daemon}-${feature}`)
  write(featureFiles({ daemon, feature, migration: nextMigration(daemon) }))
  edit("daemons/Commands.ts", (text) =>
    withImport(text, `import { ${command} } from "./${daemon}/${feature}/Commands.ts"`)
      .replace(/\n\]/, `,\n  ${command}\n]`)
      .replace(/\n\}\n$/, `,\n  "${daemon}-${feature}": "${daemon}"\n}\n`)
  )
  const folders = ["daemons/Daemons.ts", "daemons/Commands.ts", `daemons/${daemon}`, `tests/daemons/${daemon}`]
  run(join(root, "node_modules/oxfmt/bin/oxfmt"), ...folders)
  const settings = `const { environmentFile } = await import("./core/cli/SettingsCatalogue.ts")
const { daemons } = await import("./daemons/Suite.ts")
process.stdout.write(environmentFile(daemons))`
  writeFileSync(join(root, "config/signalbox.env.example"), run("--input-type=module", "-e", settings))
  process.stdout.write(`daemons/${daemon}/${feature} is there. Its test: npx vitest run tests/daemons/${daemon}\n`)
}

function checkName(name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) fail(`${name} is no name such as bank-fetcher`)
}

/** One more than the highest port of a daemon. */
function nextPort(): number {
  const ports = readdirSync(join(root, "daemons"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => /^\| .*\| (\d+) \|$/m.exec(rowOf(name))?.[1] ?? [])
  return Math.max(...ports.map(Number)) + 1
}

function rowOf(daemon: string): string {
  const rows = readFileSync(join(root, "README.md"), "utf8").split("\n")
  return rows.find((row) => row.startsWith(`| [${daemon}](`)) ?? ""
}

function nextMigration(daemon: string): number {
  const names = readdirSync(join(root, "daemons", daemon), { recursive: true, encoding: "utf8" })
  const ids = names.flatMap((name) => /(?:^|\/)migrations\/(\d{4})_[^/]*\.ts$/.exec(name)?.[1] ?? [])
  return Math.max(0, ...ids.map(Number)) + 1
}

/** Adds an import after the last one. */
function withImport(text: string, line: string): string {
  const last = text.lastIndexOf("\nimport ")
  const end = text.indexOf("\n", last + 1)
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { flag: "wx" })
  }
}

/** Edits a file; a file that stays unchanged is a defect of this script. */
function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(join(root, path), "utf8")
  const after = change(before)
  if (after === before) fail(`${path} has no place to add to`)
  writeFileSync(join(root, path), after)
}

function run(...command: ReadonlyArray<string>): string {
  const { error, status, stderr, stdout } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" })
  if (status !== 0) fail(error?.message ?? stderr)
  return stdout
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
