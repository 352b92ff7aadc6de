/** `npm run bench [-- NAME… --json]`: runs the named benchmarks, or all, and prints their figures. */
import { type Figure, table, tolerable } from "./Figure.ts"

const benchmarks: Readonly<Record<string, () => Promise<{ readonly run: () => Promise<ReadonlyArray<Figure>> }>>> = {
  alarm: () => import("./alarm/main.ts"),
  bank: () => import("./bank/main.ts"),
  deliveries: () => import("./deliveries/main.ts"),
  domains: () => import("./domains/main.ts"),
  edge: () => import("./edge/main.ts"),
  events: () => import("./events/main.ts"),
  idle: () => import("./idle/main.ts"),
  "imap-watch": () => import("./imap-watch/main.ts"),
  introspection: () => import("./introspection/main.ts"),
  limits: () => import("./limits/main.ts"),
  localization: () => import("./localization/main.ts"),
  "mail-watcher": () => import("./mail-watcher/main.ts"),
  settings: () => import("./settings/main.ts"),
  speech: () => import("./speech/main.ts"),
  status: () => import("./status/main.ts"),
  switch: () => import("./switch/main.ts"),
  "wake-word": () => import("./wake-word/main.ts"),
  watchdog: () => import("./watchdog/main.ts")
}

if (process.argv.includes("--help")) {
  process.stdout.write(`npm run bench [-- NAME… --json]; names: ${Object.keys(benchmarks).join(", ")}\n`)
  process.exit()
}
const json = process.argv.includes("--json")
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("-"))
const unknown = wanted.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark called ${unknown.join(", ")}; there are: ${Object.keys(benchmarks).join(", ")}\n`)
  process.exit(78)
}

const figures: Array<Figure> = []
for (const [name, load] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  figures.push(...(await (await load()).run()))
}
process.stdout.write(json ? `${JSON.stringify(figures, null, 2)}\n` : `${table(figures)}\n`)
process.exit(process.env["CI"] !== undefined && figures.some((row) => !tolerable(row)) ? 1 : 0)
