/** The daemons there are, by name. Each is loaded on demand, because a process needs the code of those that it runs. */
import type { Daemon } from "#core/daemon/Daemon.ts"

export const loaders: Readonly<Record<string, () => Promise<Daemon>>> = {
  identity: () => import("./identity/Daemon.ts").then((module) => module.identity),
  "mail-admin": () => import("./mail-admin/Daemon.ts").then((module) => module.mailAdmin),
  "mail-watcher": () => import("./mail-watcher/Daemon.ts").then((module) => module.mailWatcher),
  "alarm-bridge": () => import("./alarm-bridge/Daemon.ts").then((module) => module.alarmBridge),
  "comm-dispatcher": () => import("./comm-dispatcher/Daemon.ts").then((module) => module.commDispatcher),
  "sip-config": () => import("./sip-config/Daemon.ts").then((module) => module.sipConfig),
  "dns-verifier": () => import("./dns-verifier/Daemon.ts").then((module) => module.dnsVerifier),
  "status-checker": () => import("./status-checker/Daemon.ts").then((module) => module.statusChecker),
  "edge-auth": () => import("./edge-auth/Daemon.ts").then((module) => module.edgeAuth),
  localization: () => import("./localization/Daemon.ts").then((module) => module.localization),
  "bank-fetcher": () => import("./bank-fetcher/Daemon.ts").then((module) => module.bankFetcher),
  provisioning: () => import("./provisioning/Daemon.ts").then((module) => module.provisioning),
  "wake-word": () => import("./wake-word/Daemon.ts").then((module) => module.wakeWord),
  watchdog: () => import("./watchdog/Daemon.ts").then((module) => module.watchdog)
}
