/**
 * Order of the test files: the slow files of a project begin first. Otherwise a slow file that begins last runs alone,
 * while the other workers have nothing to do. In a new checkout vitest only knows the sizes of the files. Pure.
 */

/** Files of at least 30 s in a whole run on two cores, the slowest first. */
export const slowFiles: ReadonlyArray<string> = [
  "tests/whole/realHost.test.ts",
  "tests/scripts/package/installed.test.ts",
  "tests/hostile/tenants.test.ts",
  "tests/e2e/cli.test.ts",
  "tests/crash/backupKills.test.ts",
  "tests/crash/backupRestore.test.ts",
  "tests/daemons/watchdog/backups/MajorUpgrade.test.ts",
  "tests/daemons/watchdog/backups/Commands.test.ts",
  "tests/core/postgres/EmbeddedPostgres.test.ts",
  "tests/daemons/status-checker/checks/Checking.test.ts",
  "tests/crash/alarm.test.ts",
  "tests/core/cluster/Cluster.test.ts",
  "tests/chaos/chaos.test.ts",
  "tests/outage/gateways.test.ts",
  "tests/e2e/mailTokenLogin.test.ts",
  "tests/daemons/watchdog/backups/Backups.test.ts",
  "tests/e2e/edgeTraffic.test.ts",
  "tests/daemons/comm-dispatcher/alarms/watch/UndeliverableWatch.test.ts",
  "tests/crash/domainSweep.test.ts",
  "tests/crash/statusNotices.test.ts",
  "tests/crash/wakeWordTraining.test.ts",
  "tests/e2e/mailStack.test.ts",
  "tests/daemons/watchdog/services/SystemdServices.test.ts",
  "tests/scripts/package/package.test.ts",
  "tests/storm/storm.test.ts",
  "tests/scripts/new.test.ts",
  "tests/e2e/edgeBrowser.test.ts",
  "tests/daemons/watchdog/backups/Embedded.test.ts",
  "tests/hostile/identitySecrets.test.ts",
  "tests/daemons/alarm-bridge/mailboxes/MailboxWatch.test.ts",
  "tests/systemd/booted.test.ts",
  "tests/e2e/mailWhole.test.ts",
  "tests/daemons/mail-watcher/mailbox-watch/Modes.test.ts",
  "tests/daemons/watchdog/monitoring/PostgresAway.test.ts",
  "tests/e2e/user.test.ts",
  "tests/daemons/dns-verifier/zones/Changes.test.ts",
  "tests/e2e/mailWatcherCrash.test.ts",
  "tests/crash/zoneChange.test.ts",
  "tests/daemons/alarm-bridge/mailboxes/MailboxWatcher.test.ts",
  "tests/crash/placement.test.ts",
  "tests/core/cluster/Incarnation.test.ts",
  "tests/console/pages/bank/Books.test.ts",
  "tests/protocols/imap-watch/WatchConnection.test.ts",
  "tests/daemons/comm-dispatcher/event-socket/hub/HostileHub.test.ts",
  "tests/outage/servers.test.ts",
  "tests/daemons/watchdog/services/Containers.test.ts",
  "tests/daemons/status-checker/publication/Away.test.ts",
  "tests/daemons/comm-dispatcher/alarms/HostileTenant.test.ts",
  "tests/daemons/watchdog/backups/Repositories.test.ts",
  "tests/daemons/watchdog/backups/FurtherDatabases.test.ts",
  "tests/daemons/bank-fetcher/statements/Away.test.ts",
  "tests/crash/callLock.test.ts",
  "tests/daemons/status-checker/subscriptions/MailSender.test.ts",
  "tests/console/pages/alarms/Page.test.ts",
  "tests/console/signIn.test.ts",
  "tests/daemons/wake-word/Training.test.ts",
  "tests/daemons/mail-admin/bans/Dovecot.test.ts",
  "tests/core/events/LateDaemons.test.ts",
  "tests/daemons/watchdog/alerting/Ways.test.ts",
  "tests/daemons/watchdog/monitoring/RealParts.test.ts",
  "tests/core/postgres/ServerOwner.test.ts",
  "tests/core/gateway/BanKeeping.test.ts",
  "tests/console/pages/bank/Desk.test.ts",
  "tests/crash/zonePlan.test.ts",
  "tests/daemons/localization/Bundles.test.ts",
  "tests/daemons/status-checker/checks/RealTargets.test.ts",
  "tests/core/gateway/Exemptions.test.ts"
]

/** Sorts the slow files to the front, those of a group only among themselves. `groupOf`: groups run in order. */
export const slowFirst = <A>(
  files: ReadonlyArray<A>,
  pathOf: (file: A) => string,
  groupOf: (file: A) => string
): ReadonlyArray<A> => {
  const rankOf = (file: A) => {
    const rank = slowFiles.indexOf(pathOf(file))
    return rank === -1 ? slowFiles.length : rank
  }
  return [...Map.groupBy(files, groupOf).values()].flatMap((group) => group.toSorted((a, b) => rankOf(a) - rankOf(b)))
}
