/** `npm run metrics`: writes the list of metrics and the dashboard (docs/metrics.md, config/grafana/signalbox.json). */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Family, families, prefix } from "../core/metrics/Metrics.ts"
import "../core/gateway/make.ts"
import "../daemons/Suite.ts"
import { dashboard } from "./grafana/Dashboard.ts"

/** The list of metrics, as Markdown. */
export const list = (all: ReadonlyArray<Family>): string =>
  `# Metrics

\`/metrics\` of the gateway, and of each daemon that has its own port, in the text format of Prometheus. Readers need a
service token of the platform as a bearer token, or an address of \`SIGNALBOX_HEALTH_ADDRESSES\`. Behind the gateway all
daemons share one process and one \`/metrics\`; scrape only the gateway then. The label \`daemon\` names the daemon;
\`core\` is the part of a process that its daemons share, \`frame\` its own actors, and \`suite\` a process with several
daemons. Counters begin at 0 when their process starts.

[config/prometheus](../config/prometheus/README.md) has alert rules, [config/grafana](../config/grafana/README.md) a
dashboard. \`npm run metrics\` writes this list.

| metric | type | labels | meaning |
| --- | --- | --- | --- |
${all
  .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  .map(({ help, labels, name, type }) => `| \`${prefix}_${name}\` | ${type} | ${labels.join(", ")} | ${help} |`)
  .join("\n")}
`

/** The dashboard's file. */
export const dashboardFile = (): string => `${JSON.stringify(dashboard, null, 2)}\n`

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = join(import.meta.dirname, "..")
  writeFileSync(join(root, "docs/metrics.md"), list(families()))
  writeFileSync(join(root, "config/grafana/signalbox.json"), dashboardFile())
}
