/** The daemons there are. Every process names the same, whichever it runs. */
import type { Daemon } from "#core/daemon/Daemon.ts"
import { alarmBridge } from "./alarm-bridge/Daemon.ts"
import { bankFetcher } from "./bank-fetcher/Daemon.ts"
import { commDispatcher } from "./comm-dispatcher/Daemon.ts"
import { dnsVerifier } from "./dns-verifier/Daemon.ts"
import { edgeAuth } from "./edge-auth/Daemon.ts"
import { identity } from "./identity/Daemon.ts"
import { localization } from "./localization/Daemon.ts"
import { mailAdmin } from "./mail-admin/Daemon.ts"
import { mailWatcher } from "./mail-watcher/Daemon.ts"
import { provisioning } from "./provisioning/Daemon.ts"
import { sipConfig } from "./sip-config/Daemon.ts"
import { statusChecker } from "./status-checker/Daemon.ts"
import { wakeWord } from "./wake-word/Daemon.ts"
import { watchdog } from "./watchdog/Daemon.ts"

export const daemons: ReadonlyArray<Daemon> = [
  identity,
  mailAdmin,
  mailWatcher,
  alarmBridge,
  commDispatcher,
  sipConfig,
  dnsVerifier,
  statusChecker,
  edgeAuth,
  localization,
  bankFetcher,
  provisioning,
  wakeWord,
  watchdog
]
