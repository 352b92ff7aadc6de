// What a started process is, by its command line. Pure.

import { basename } from "node:path"
import type { Cause } from "./Events.ts"

/** Kind of a process, and the cause that its processor time counts for. */
export interface ProcessKind {
  readonly cause: Cause
  readonly kind: string
}

/** Programs that tests start as servers, by file name. */
const servers: Readonly<Record<string, string>> = {
  dovecot: "dovecot",
  master: "postfix",
  postfix: "postfix",
  rspamd: "rspamd",
  opendkim: "opendkim",
  "prometheus-alertmanager": "alertmanager",
  prometheus: "prometheus",
  promtool: "prometheus",
  alertmanager: "alertmanager",
  "redis-server": "redis",
  nginx: "nginx",
  caddy: "caddy",
  traefik: "traefik",
  kamailio: "kamailio",
  sipp: "sipp",
  baresip: "baresip",
  knotd: "knot",
  named: "bind",
  unbound: "unbound",
  pdns_server: "powerdns",
  podman: "podman",
  systemd: "systemd",
  "BootedSystemd.sh": "systemd"
}

/** Programs that start another program given as their argument. */
const wrappers = new Set(["setpriv", "env", "unshare", "nsenter", "chroot", "runuser", "sudo", "timeout", "nice", "ip"])

/** Scripts of the project that build and are no daemons. */
const builders = new Set(["build.js", "buildConsole.ts", "new.ts", "vitest.mjs", "tsc"])

/** Kind of the process that a command line starts. Looks behind wrappers such as setpriv. */
export const kindOf = (words: ReadonlyArray<string>): ProcessKind => {
  const program = basename(words[0] ?? "")
  if (wrappers.has(program)) {
    for (let at = 1; at < words.length; at++) {
      const found = kindOf(words.slice(at))
      if (found.cause !== "other programs") return found
    }
    return { cause: "other programs", kind: program }
  }
  if (/^(chrom(e|ium)|headless_shell)/.test(program)) return { cause: "browsers", kind: "chromium" }
  if (program === "postgres" || program === "initdb") return { cause: "own Postgres servers", kind: program }
  const server = Object.hasOwn(servers, program) ? servers[program] : undefined
  if (server !== undefined) return { cause: "servers", kind: server }
  if (program === "signalbox") return { cause: "daemons as processes", kind: "signalbox" }
  if (program === "node" || program === "pinned-node") {
    const script = basename(words.slice(1).find((word) => /\.(ts|mjs|js)$|\/(tsc|signalbox)$/.test(word)) ?? "node")
    if (builders.has(script) || script === "node") return { cause: "other programs", kind: script }
    const executable = script === "signalbox.js" || script === "main.ts" || script === "signalbox"
    return { cause: "daemons as processes", kind: executable ? "signalbox" : script }
  }
  return { cause: "other programs", kind: program === "" ? "unknown" : program }
}
