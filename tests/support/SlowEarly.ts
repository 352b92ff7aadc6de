/**
 * Order of the test files: the slow files of a project begin early, so that none is left alone at the end while the
 * other workers have nothing to do. In a new checkout vitest only knows the sizes of the files. Pure.
 */

/** Files of at least 24 s in a whole run on two cores, the slowest first. */
export const slowFiles: ReadonlyArray<string> = [
  "tests/whole/realHost.test.ts",
  "tests/scripts/package/installed.test.ts",
  "tests/e2e/cli.test.ts",
  "tests/daemons/status-checker/checks/Checking.test.ts",
  "tests/hostile/tenants.test.ts",
  "tests/outage/gateways.test.ts",
  "tests/crash/backupKills.test.ts",
  "tests/crash/domainSweep.test.ts",
  "tests/daemons/watchdog/services/SystemdServices.test.ts",
  "tests/storm/storm.test.ts",
  "tests/e2e/mailStack.test.ts",
  "tests/core/cluster/Cluster.test.ts",
  "tests/daemons/comm-dispatcher/alarms/watch/UndeliverableWatch.test.ts",
  "tests/daemons/status-checker/subscriptions/MailSender.test.ts",
  "tests/chaos/chaos.test.ts",
  "tests/e2e/mailTokenLogin.test.ts",
  "tests/crash/wakeWordTraining.test.ts",
  "tests/core/postgres/EmbeddedPostgres.test.ts",
  "tests/crash/zoneChange.test.ts",
  "tests/crash/alarm.test.ts",
  "tests/scripts/package/package.test.ts",
  "tests/crash/statusNotices.test.ts",
  "tests/systemd/booted.test.ts",
  "tests/daemons/dns-verifier/zones/Changes.test.ts",
  "tests/scripts/new.test.ts",
  "tests/outage/servers.test.ts",
  "tests/crash/placement.test.ts",
  "tests/e2e/mailWatcherCrash.test.ts",
  "tests/e2e/edgeTraffic.test.ts",
  "tests/daemons/watchdog/backups/MajorUpgrade.test.ts",
  "tests/daemons/watchdog/services/Containers.test.ts",
  "tests/e2e/mailWhole.test.ts",
  "tests/daemons/mail-watcher/mailbox-watch/Modes.test.ts",
  "tests/protocols/imap-watch/WatchConnection.test.ts",
  "tests/crash/callLock.test.ts",
  "tests/daemons/mail-admin/bans/Dovecot.test.ts",
  "tests/console/pages/alarms/Page.test.ts",
  "tests/daemons/watchdog/alerting/EarlierWindows.test.ts",
  "tests/core/gateway/BanKeeping.test.ts",
  "tests/daemons/status-checker/publication/Away.test.ts",
  "tests/daemons/comm-dispatcher/alarms/HostileTenant.test.ts",
  "tests/core/gateway/Exemptions.test.ts",
  "tests/console/pages/bank/Desk.test.ts",
  "tests/core/events/LateDaemons.test.ts",
  "tests/e2e/dkimSigning.test.ts",
  "tests/daemons/status-checker/checks/RealTargets.test.ts",
  "tests/daemons/watchdog/monitoring/PostgresAway.test.ts",
  "tests/daemons/watchdog/monitoring/RealParts.test.ts",
  "tests/console/signIn.test.ts",
  "tests/daemons/watchdog/backups/Commands.test.ts",
  "tests/daemons/mail-watcher/Walk.test.ts",
  "tests/crash/zonePlan.test.ts",
  "tests/daemons/alarm-bridge/mailboxes/MailboxWatcher.test.ts",
  "tests/console/pages/bank/Books.test.ts",
  "tests/console/softphone/Calling.test.ts",
  "tests/e2e/user.test.ts",
  "tests/core/jobs/JobFailures.test.ts",
  "tests/core/jobs/JobCosts.test.ts",
  "tests/e2e/edgeBrowser.test.ts",
  "tests/console/pages/mailboxes/Page.test.ts",
  "tests/daemons/comm-dispatcher/event-socket/hub/HostileHub.test.ts"
]

/**
 * Share of the ordinary files of a group that run between its slow ones; the rest run after the last slow file. Slow
 * files mostly wait and ordinary ones mostly compute, so a mixture uses the machine best.
 */
const mixed = 0.7

/**
 * Spreads the slow files of a group over its beginning, the slowest first, and keeps the order of the others.
 * `groupOf`: groups run in order.
 */
export const slowEarly = <A>(
  files: ReadonlyArray<A>,
  pathOf: (file: A) => string,
  groupOf: (file: A) => string
): ReadonlyArray<A> => {
  const rankOf = (file: A) => slowFiles.indexOf(pathOf(file))
  return [...Map.groupBy(files, groupOf).values()].flatMap((group) => {
    const others = group.filter((file) => rankOf(file) === -1)
    const slow = group.filter((file) => rankOf(file) !== -1).toSorted((a, b) => rankOf(a) - rankOf(b))
    const between = Math.floor((others.length * mixed) / slow.length)
    return [...slow.flatMap((file) => [file, ...others.splice(0, between)]), ...others]
  })
}
