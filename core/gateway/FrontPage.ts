/**
 * The gateway's front page: daemons, their health, and links. One self-contained page without script. Its style is
 * allowed by hash, so the page has the same strict policy as all other responses.
 */
import { escaped } from "../html/Escape.ts"
import { createHash } from "node:crypto"
import type { Verdict } from "../daemon/Health.ts"
import { defaultPolicy } from "./SecurityHeaders.ts"

/** A daemon in the list. */
export interface Row {
  readonly name: string
  readonly title: string
  readonly status: Verdict
  /** Paths behind the gateway; empty for a daemon with its own address. */
  readonly paths: ReadonlyArray<string>
}

const style = `
:root { color-scheme: light dark; --ok: #1a7f37; --degraded: #9a6700; --down: #cf222e; --line: #8884 }
@media (prefers-color-scheme: dark) { :root { --ok: #3fb950; --degraded: #d29922; --down: #f85149 } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin-bottom: .25rem }
nav { margin: 0 0 1.5rem } nav a { margin-right: 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
code { font-size: .9em } small { opacity: .75 }
.ok { color: var(--ok) } .degraded { color: var(--degraded) } .down { color: var(--down) }
`

/** Path of the guide, the documents as pages. The console has it. */
export const guidePath = "/console/guide/"

const consoleLinks = `<a href="/console/">Console</a>
<a href="${guidePath}">Guide</a>`

/** Content security policy of the page: its own style and nothing else. */
export const policy = `${defaultPolicy}; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`

const words: Readonly<Record<Verdict, string>> = { ok: "● ok", degraded: "▲ degraded", down: "■ down" }

/** The page as HTML. Pure. */
export const render = (rows: ReadonlyArray<Row>): string =>
  `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="15">
<title>Signalbox</title>
<style>${style}</style>
</head>
<body>
<h1>Signalbox</h1>
<nav>
${rows.some(({ paths }) => paths.includes("/console")) ? consoleLinks : ""}
<a href="/docs">API documentation</a>
<a href="/openapi.json">OpenAPI</a>
<a href="/health">Health</a>
<a href="/metrics">Metrics</a>
</nav>
<table>
<thead><tr><th scope="col">Daemon</th><th scope="col">State</th><th scope="col">Paths</th></tr></thead>
<tbody>
${rows.map(tableRow).join("\n")}
</tbody>
</table>
</body>
</html>
`

const tableRow = (row: Row): string => {
  const name = escaped(row.name)
  const paths =
    row.paths.length === 0
      ? "<small>own address</small>"
      : row.paths.map((path) => `<code>${escaped(path)}</code>`).join("<br>")
  return (
    `<tr><td>${escaped(row.title)}<br><small><code>${name}</code></small></td>` +
    `<td><a class="${row.status}" href="/health/${name}">${words[row.status]}</a></td><td>${paths}</td></tr>`
  )
}
