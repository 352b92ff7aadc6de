/**
 * The Debian package in a bare Debian with a booted systemd, by the commands of the documents as they stand:
 * installation, first alarm, upgrade under load, the way back, removal. The long form also follows the pages about
 * mail, telephony, proxy and backup, needs a backup for the way back, and restores it on a second machine. A block of
 * language `text` stands apart from the others of its page; `apart` names those that run, `neverRun` the rest.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { cp } from "node:fs/promises"
import { basename } from "node:path"
import { version } from "#core/config/Version.ts"
import { describeBooted } from "#support/BootedSystemd.ts"
import { ensureBuilt } from "#support/Executable.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { blocksOf, blockWith, commandsOf, documentAt, documents } from "../../docs/Documents.ts"
import { type Machine, withMachine } from "./Machine.ts"
import { buildNextVersion, buildPackages, debianIn } from "./Packages.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] !== undefined

const nextVersion = "97.0.0"

/** The systemd units of the package. Units whose file ends in `@.service` need a name after the `@`. */
const units = [
  "signalbox.service",
  "signalbox@alarm-bridge.service",
  "signalbox-failed@alarm-bridge.service",
  "signalbox-watchdog-root@1-2-3.service"
]

/** Highest allowed exposure of a unit. Unit: tenths of a point, as in --threshold. */
const exposure = 20

/** The package of this version, and a folder for others. */
const thisVersion = Effect.gen(function* () {
  const folder = yield* temporaryDirectory("packages")
  ensureBuilt()
  yield* Effect.promise(() => buildPackages(`${folder}/this`, ["--debian"]))
  return { current: debianIn(`${folder}/this`), folder }
})

/** Begins to build the package of a next version, beside what the machine does. The result waits for it. */
const begunNext = (folder: string, version: string, kind: "additive" | "breaking") =>
  Effect.map(Effect.forkScoped(Effect.promise(() => buildNextVersion(`${folder}/${kind}`, version, kind))), Fiber.join)

const install = (machine: Machine, file: string) => machine.sh(`apt-get install --yes --allow-downgrades ${file} 2>&1`)

/** Version of the running process, by the folder that its program is in. */
const runs = (machine: Machine) =>
  Effect.map(
    machine.sh("readlink /proc/$(systemctl show --property=MainPID --value signalbox)/exe"),
    (program) => /\/versions\/([^/]+)\//.exec(program)?.[1]
  )

/** Runs a script of a page of the documents in a folder. Returns what it prints. */
const runScript = (machine: Machine, commands: string, folder = "/root") =>
  Effect.gen(function* () {
    yield* machine.system.writeFile("/run/page.sh", `set -eu\ncd ${folder}\n${commands}`)
    return yield* machine.sh("bash /run/page.sh 2>&1")
  })

/** Runs the commands of a page of the documents, as they stand. */
const follow = (machine: Machine, page: string, folder?: string) =>
  runScript(machine, commandsOf(`docs/${page}.md`), folder)

/** Blocks of language `text` that run, by their page and some of their words. */
const apart = {
  wayBack: ["docs/upgrade.md", "--allow-downgrades"],
  mailbox: ["docs/first-mail-domain.md", "mailbox create"],
  call: ["docs/telephony.md", "alarm send"],
  checkout: ["docs/uninstall.md", "/opt/signalbox"],
  /** In image.test.ts. */
  container: ["docs/quick-start.md", "podman run"]
} as const

/** Blocks that no test runs, with the reason. */
const neverRun = [
  ["docs/quick-start.md", "ssh -L", "needs a second machine with a person at it"],
  ["docs/contributing.md", "npm test", "this is how the tests themselves run"],
  ["docs/contributing.md", "npm run package", "package.test.ts and image.test.ts run its parts"],
  ["docs/upgrade.md", "postgresql-client-18", "Debian 12 has no package of this name"]
] as const

const runApart = (machine: Machine, [page, words]: readonly [string, string], folder?: string) =>
  runScript(machine, blockWith(page, words), folder)

/** Most lines that an operator types for the first alarm, and most that the package prints. */
const mostLines = 6

/** From the package to the first alarm, by the quick start. */
const freshInstall = Effect.fnUntraced(function* (machine: Machine, file: string) {
  yield* machine.put(file)
  const [begin, ...rest] = blocksOf(documentAt("docs/quick-start.md")).filter(({ language }) => language === "sh")
  const typed = begin!.text.trim().split("\n").length
  const begun = performance.now()
  const said = yield* runScript(machine, begin!.text)
  const seconds = (performance.now() - begun) / 1_000
  // apt gives dpkg a terminal, whose lines end with CR LF.
  const printed = /^Signalbox \S+ is installed.*(?:\n {2}.*)*/m.exec(said.replaceAll("\r", ""))![0].split("\n").length
  if (long)
    console.log(
      `from the package to a delivered alarm: ${seconds.toFixed(1)} s; ${typed} lines typed, ${printed} lines printed`
    )
  assert.isAtMost(typed, mostLines)
  assert.isAtMost(printed, mostLines)
  yield* runScript(machine, rest.map(({ text }) => text).join(""))
  assert.include(said, "is installed and does not run yet")
  assert.include(said, "delivered: the receiver got the alarm")
  assert.include(yield* machine.sh("signalbox --version"), version)
  assert.strictEqual(
    (yield* machine.sh("stat -c '%U:%G %a' /etc/signalbox/signalbox.env")).trim(),
    "root:signalbox 640"
  )
  yield* machine.sh("dpkg --verify signalbox")
})

const startLoad = Effect.fnUntraced(function* (machine: Machine) {
  const token = (yield* machine.sh("signalbox token create --name load --json | grep -o 'sbx_[A-Za-z0-9_-]*'")).trim()
  yield* machine.put(`${import.meta.dirname}/load.mjs`)
  yield* machine.sh(
    `systemd-run --quiet --unit=load --property=StandardOutput=file:/run/load.json -- ` +
      `/usr/lib/signalbox/current/bin/pinned-node /root/load.mjs ${token}`
  )
})

const stopLoad = (machine: Machine) =>
  Effect.gen(function* () {
    yield* machine.sh("touch /run/load.stop")
    yield* machine.until("test -s /run/load.json")
    return JSON.parse(yield* machine.sh("cat /run/load.json")) as { accepted: number; missing: ReadonlyArray<number> }
  })

describePeers(["debian"], "the Debian package", () => {
  describeBooted("in a bare Debian", () => {
    it.live(
      "leads by the documents alone from the package to alarms, mail and backups, to the next version and back",
      () =>
        Effect.gen(function* () {
          const { current, folder } = yield* thisVersion
          const next = yield* begunNext(folder, nextVersion, "additive")
          yield* withMachine((machine) =>
            Effect.gen(function* () {
              yield* freshInstall(machine, current)
              for (const unit of units)
                yield* machine.sh(`systemd-analyze security --no-pager --threshold=${exposure} ${unit}`)
              assert.include(yield* machine.sh("zcat /usr/share/man/man1/signalbox-alarm.1.gz"), "alarm send")
              yield* machine.sh("bash -n /usr/share/bash-completion/completions/signalbox")

              assert.match(yield* follow(machine, "first-alarm"), /CRITICAL:WEBHOOK.*;RETRY:3x5m$/m)
              if (long)
                for (const page of ["first-mail-domain", "telephony", "behind-a-proxy", "backup"])
                  yield* follow(machine, page)
              if (long) {
                yield* machine.sh("signalbox mail-domain assert example.org")
                assert.match(yield* runApart(machine, apart.mailbox), /office@example\.org/)
                // This machine has no mail server to watch it on.
                yield* machine.sh("signalbox mailbox delete office@example.org --yes")
                const [, call] = /show (\S+)/.exec(yield* runApart(machine, apart.call))!
                yield* machine.until(`signalbox alarm show ${call} | grep -q failed`)
              }
              yield* machine.sh("signalbox settings set SIGNALBOX_WEBHOOK_ALLOW_CIDRS 127.0.0.0/8")

              // The next version, while alarms arrive.
              yield* startLoad(machine)
              yield* machine.sh("mkdir /root/next")
              yield* machine.put(yield* next, "next")
              const said = long
                ? yield* follow(machine, "upgrade", "/root/next")
                : yield* machine.sh(`cd /root/next
                    apt-get install --yes ./*.deb 2>&1
                    signalbox check
                    systemctl restart signalbox`)
              assert.include(said, `Running daemons continue as ${version}`)
              assert.match(said, /pending: core 9000/)
              assert.strictEqual(yield* runs(machine), nextVersion)

              // The way back: the migration of the next version only adds.
              yield* runApart(machine, apart.wayBack)
              assert.strictEqual(yield* runs(machine), version)
              assert.match(
                yield* machine.sh("signalbox check"),
                /of a newer version, with which this one works: core 9000/
              )
              const { accepted, missing } = yield* stopLoad(machine)
              assert.isAbove(accepted, 10)
              assert.deepStrictEqual(missing, [])

              if (long) {
                yield* follow(machine, "troubleshooting")
                yield* follow(machine, "several-hosts")
                yield* machine.sh("systemctl is-active signalbox@alarm-bridge signalbox@comm-dispatcher")
              }
              yield* follow(machine, "uninstall")
              yield* machine.sh("test ! -e /usr/lib/signalbox -a ! -e /etc/signalbox -a ! -e /var/lib/signalbox")
              assert.deepStrictEqual(yield* machine.system.processes("signalbox*.service"), [])
              yield* machine.sh(`mkdir -p /opt/signalbox
                printf '[Service]\\nExecStart=/bin/sleep 600\\n' > /etc/systemd/system/signalbox.service
                printf '[Unit]\\n' > /etc/systemd/system/signalbox.target
                touch /etc/systemd/system/signalbox-health.socket
                systemctl daemon-reload
                systemctl start signalbox.service signalbox.target`)
              yield* runApart(machine, apart.checkout)
              yield* machine.sh(`test ! -e /opt/signalbox
                test -z "$(find /etc/systemd/system -maxdepth 1 -type f -name 'signalbox*')"`)
            })
          )
        }).pipe(Effect.scoped),
      900_000
    )

    it("runs, in its long form, the commands of every page that has some", () => {
      const withCommands = documents.filter(({ path }) => path.startsWith("docs/") && commandsOf(path) !== "")
      assert.sameMembers(
        withCommands.map(({ path }) => basename(path, ".md")),
        [
          "quick-start",
          "first-alarm",
          "first-mail-domain",
          "telephony",
          "behind-a-proxy",
          "backup",
          "several-hosts",
          "upgrade",
          "troubleshooting",
          "uninstall"
        ]
      )
    })

    it("runs the blocks that stand apart, or says why not", () => {
      const all = documents.flatMap((document) =>
        document.path.startsWith("docs/")
          ? blocksOf(document).flatMap(({ language, text }) => (language === "text" ? [text] : []))
          : []
      )
      const known = [...Object.values(apart), ...neverRun].map(([page, words]) => blockWith(page, words))
      assert.sameMembers(known, all)
    })

    it.live.runIf(long)(
      "needs a backup for the way back from a breaking migration, and restores it on a second machine",
      () =>
        Effect.gen(function* () {
          const { current, folder } = yield* thisVersion
          const breaking = yield* begunNext(folder, "98.0.0", "breaking")
          // Outlives the first machine.
          const backups = yield* temporaryDirectory("repository")
          yield* withMachine((machine) =>
            Effect.gen(function* () {
              yield* freshInstall(machine, current)
              yield* machine.sh(`install -d -o signalbox -m 700 /srv/backup
                printf 'SIGNALBOX_BACKUP_REPOSITORY=/srv/backup/repository\\nSIGNALBOX_BACKUP_PASSWORD=test-of-a-backup\\nSIGNALBOX_BACKUP_INCLUDE_KEYS=true\\n' >> /etc/signalbox/signalbox.env
                signalbox backup init`)
              yield* install(machine, yield* machine.put(yield* breaking))
              // Before the migration, with the newer program, while the older one runs.
              assert.match(yield* machine.sh("signalbox backup now"), /^backup [0-9a-f]{8}, /m)
              assert.match(yield* machine.sh("signalbox check"), /pending: core 9000/)
              yield* machine.sh("systemctl restart signalbox")
              yield* install(machine, `/root/${basename(current)}`)
              yield* machine.system.run("systemctl", "restart", "signalbox")
              assert.strictEqual((yield* machine.system.show("signalbox", "ExecMainStatus"))["ExecMainStatus"], "78")
              assert.match(
                yield* machine.system.journal("signalbox"),
                /a newer version of Signalbox changed the database: schema core \(migration 9000, next version\)\. Start version 98\.0\.0 again\. Or, to stay at/
              )
              yield* Effect.promise(() => cp(`${machine.root}/srv/backup`, backups, { recursive: true }))
            })
          )
          yield* withMachine((machine) =>
            Effect.gen(function* () {
              yield* Effect.promise(() => cp(backups, `${machine.root}/srv/backup`, { recursive: true }))
              yield* install(machine, yield* machine.put(current))
              yield* machine.sh(`chown -R signalbox /srv/backup
                install -d -o signalbox -g signalbox -m 700 /var/lib/signalbox
                export SIGNALBOX_BACKUP_REPOSITORY=/srv/backup/repository SIGNALBOX_BACKUP_PASSWORD=test-of-a-backup
                signalbox backup restore --target /var/lib/signalbox --yes
                cp /var/lib/signalbox/etc/signalbox/*.env /etc/signalbox/
                install -o signalbox -g signalbox -m 600 /var/lib/signalbox/var/lib/signalbox/keys /var/lib/signalbox/keys
                systemctl start signalbox`)
              // The alarm of the first machine.
              assert.include(yield* machine.sh("signalbox alarm list"), "demo")
            })
          )
        }).pipe(Effect.scoped),
      1_500_000
    )
  })
})
