// The shipped units in a real systemd with a stand-in program. Tests Type=notify, watchdog, bounded stop, exit 78 and
// ports, and that Node and Postgres work in the sandbox. Drop-ins override only ExecStart and the times.

import { assert } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { BootedSystemdError, describeBooted } from "#support/BootedSystemd.ts"
import { commandsOf } from "../whole/Document.ts"
import { becomes, booted, shipped, standIn, start, stop, unit } from "./ShippedUnits.ts"

/** A drop-in that replaces a unit's command and adds lines to [Service]. */
const dropIn = (command: string, ...lines: ReadonlyArray<string>) =>
  `[Service]\nExecStart=\nExecStart=${command}\n${lines.join("\n")}\n`

describeBooted("shipped units in a booted systemd", () => {
  booted("starts by Type=notify with Postgres in the sandbox, stops in order and leaves nothing", function* (system) {
    yield* system.installUnit(`${unit}.d/test.conf`, dropIn(standIn("postgres")))
    // Returns only when systemd has accepted READY=1 from a child of the main process.
    yield* start(unit)
    assert.deepStrictEqual(yield* system.show(unit, "ActiveState", "SubState", "StatusText", "User", "NRestarts"), {
      ActiveState: "active",
      SubState: "running",
      StatusText: "serving READY=0",
      User: "signalbox",
      NRestarts: "0"
    })
    const processes = yield* system.processes(unit)
    assert.isTrue(
      processes.some((line) => line.includes("bin/postgres")),
      processes.join("\n")
    )
    assert.isBelow(yield* stop(unit), 10_000)
    assert.strictEqual((yield* system.show(unit, "Result"))["Result"], "success")
    assert.deepStrictEqual(yield* system.processes(unit), [])
    const journal = yield* system.journal(unit)
    assert.match(journal, /notify true variable undefined interval 10000/)
    assert.match(journal, /started postmaster \d+, parallel query over \d+ rows/)
    assert.match(journal, /^<6> stopped in order$/m)
    // Both lines of one message are logged as errors.
    assert.match(journal, /^<3> first line\n<3> second line$/m)
    // systemd accepted every message while its sender still lived. It would log a complaint under its own name, not the
    // unit's.
    assert.notMatch((yield* system.run("journalctl", "--no-pager")).stdout, /Cannot find unit for notify message/)
  })

  booted(
    "is restarted when the watchdog starves, whether the loop is stuck or the process stopped",
    function* (system) {
      yield* system.installUnit(`${unit}.d/test.conf`, dropIn(standIn("postgres"), "WatchdogSec=8"))
      yield* start(unit)
      for (const [restarts, signal] of [
        ["1", "USR1"],
        ["2", "STOP"]
      ] as const) {
        const { MainPID: pid } = yield* system.show(unit, "MainPID")
        yield* system.run("kill", `-${signal}`, pid ?? "")
        yield* becomes(unit, { ActiveState: "active", NRestarts: restarts })
      }
      const journal = yield* system.journal(unit)
      assert.strictEqual(journal.match(/Watchdog timeout/g)?.length, 2)
      // No core dump, which could contain secrets.
      assert.strictEqual(journal.match(/Main process exited, code=killed, status=9\/KILL/g)?.length, 2, journal)
      yield* stop(unit)
      assert.deepStrictEqual(yield* system.processes(unit), [])
    }
  )

  booted("stays up beyond the watchdog's time while petted", function* (system) {
    // A signal starts a process. Half of this time is for the start, which takes seconds on busy cores.
    yield* system.installUnit(`${unit}.d/test.conf`, dropIn(standIn("plain"), "WatchdogSec=8"))
    yield* start(unit)
    const petted = Effect.map(system.show(unit, "WatchdogTimestampMonotonic"), (now) =>
      Number(now["WatchdogTimestampMonotonic"])
    )
    const first = yield* petted
    yield* Effect.flatMap(petted, (now) =>
      now > first + 8_000_000
        ? Effect.void
        : Effect.fail(new BootedSystemdError({ reason: "CommandFailed", message: "not petted for 8 s" }))
    ).pipe(Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 200 }))
    assert.strictEqual((yield* system.show(unit, "NRestarts"))["NRestarts"], "0")
  })

  booted("is not restarted after exit 78, and is after exit 1", function* (system) {
    yield* system.installUnit(`${unit}.d/test.conf`, dropIn("/bin/sh -c 'exit 78'"))
    yield* system.run("systemctl", "start", unit)
    assert.deepStrictEqual(yield* system.show(unit, "ActiveState", "NRestarts", "ExecMainStatus"), {
      ActiveState: "failed",
      NRestarts: "0",
      ExecMainStatus: "78"
    })
    yield* system.installUnit(`${unit}.d/test.conf`, dropIn("/bin/sh -c 'exit 1'"))
    yield* system.systemctl("reset-failed", unit)
    yield* system.run("systemctl", "start", unit)
    yield* becomes(unit, { NRestarts: "2" })
  })

  booted(
    "SIGKILL of the program alone leaves no Postgres behind, and the next start needs no help",
    function* (system) {
      yield* system.installUnit(`${unit}.d/test.conf`, dropIn(standIn("postgres")))
      yield* start(unit)
      const before = yield* system.processes(unit)
      const { MainPID: pid } = yield* system.show(unit, "MainPID")
      yield* system.run("kill", "-KILL", pid ?? "")
      yield* becomes(unit, { ActiveState: "active", NRestarts: "1" })
      const after = new Set((yield* system.processes(unit)).map((line) => line.split(" ")[0]))
      assert.deepStrictEqual(
        before.filter((line) => after.has(line.split(" ")[0])),
        []
      )
    }
  )

  booted("a program that ignores SIGTERM is ended at TimeoutStopSec", function* (system) {
    const stubborn = "/bin/sh -c 'trap \"\" TERM; systemd-notify READY=1; while :; do sleep 1; done'"
    yield* system.installUnit(`${unit}.d/test.conf`, dropIn(stubborn, "TimeoutStopSec=1"))
    yield* start(unit)
    assert.isBelow(yield* stop(unit), 10_000)
    assert.deepStrictEqual(yield* system.processes(unit), [])
  })

  booted(
    "split layout: the target starts and stops its instances, they share data and user, `up` replaces it",
    function* (system) {
      yield* system.installUnit("signalbox@.service.d/test.conf", dropIn(`${standIn("plain")} %i`))
      yield* system.installUnit(`${unit}.d/test.conf`, dropIn(standIn("plain")))
      yield* system.writeFile("/etc/signalbox/signalbox.env", "STANDIN_PORT=4001\n")
      yield* system.writeFile("/etc/signalbox/identity.env", "STANDIN_PORT=4002\n")
      const instances = ["signalbox@identity.service", "signalbox@alarm-bridge.service"]
      yield* system.systemctl("enable", ...instances)
      yield* start("signalbox.target")
      // The instance's own file overrides the common one. Otherwise both instances would use port 4001.
      for (const instance of instances) yield* becomes(instance, { ActiveState: "active", NRestarts: "0" })
      assert.strictEqual(
        (yield* system.run("stat", "-c", "%U %a", "/var/lib/signalbox")).stdout.trim(),
        "signalbox 700"
      )
      yield* start(unit)
      for (const instance of instances) yield* becomes(instance, { ActiveState: "inactive" })
      yield* start("signalbox.target")
      yield* becomes(unit, { ActiveState: "inactive" })
      for (const instance of instances) yield* becomes(instance, { ActiveState: "active" })
      yield* stop("signalbox.target")
      for (const instance of instances) yield* becomes(instance, { ActiveState: "inactive" })
    }
  )

  booted(
    "split layout: the target is active only while none of its daemons has failed, and the others keep running",
    function* (system) {
      const [broken, sound] = ["signalbox@identity.service", "signalbox@alarm-bridge.service"] as const
      const works = dropIn(standIn("plain"))
      const fails = dropIn("/bin/sh -c 'exit 78'")
      const command = (text: string) => system.installUnit(`${broken}.d/test.conf`, text)
      yield* system.installUnit(`${sound}.d/test.conf`, works)
      yield* command(fails)
      yield* system.systemctl("enable", broken, sound)

      // At the start.
      assert.notStrictEqual((yield* system.run("systemctl", "start", "signalbox.target")).code, 0)
      yield* becomes("signalbox.target", { ActiveState: "inactive" })
      yield* becomes(sound, { ActiveState: "active" })
      const repair = Effect.andThen(command(works), system.run("sh", "-c", commandsOf("Behaviour")))
      assert.strictEqual((yield* repair).code, 0)
      yield* becomes("signalbox.target", { ActiveState: "active" })
      yield* becomes(broken, { ActiveState: "active" })

      // While it runs.
      yield* command(fails)
      yield* system.run("systemctl", "restart", broken)
      yield* becomes("signalbox.target", { ActiveState: "inactive" })
      yield* becomes(sound, { ActiveState: "active", NRestarts: "0" })
      // All fail, and the target is started again. The second failure is handled only after the repair has begun.
      const late = "[Service]\nExecStartPre=/bin/sleep 2\n"
      yield* system.installUnit("signalbox-failed@alarm-bridge.service.d/test.conf", late)
      yield* system.installUnit(`${sound}.d/test.conf`, fails)
      yield* system.run("systemctl", "restart", sound)
      const begun = performance.now()
      assert.notStrictEqual((yield* system.run("systemctl", "start", "signalbox.target")).code, 0)
      assert.isBelow(performance.now() - begun, 10_000)
      yield* becomes("signalbox.target", { ActiveState: "inactive" })

      // An instance that is not enabled does not count, and a stop reaches the daemons of an inactive target.
      yield* system.installUnit(`${sound}.d/test.conf`, works)
      assert.strictEqual((yield* repair).code, 0)
      yield* system.installUnit("signalbox@stranger.service.d/test.conf", fails)
      yield* system.run("systemctl", "start", "signalbox@stranger.service")
      yield* becomes("signalbox-failed@stranger.service", { ActiveState: "inactive" })
      yield* becomes("signalbox.target", { ActiveState: "active" })
      yield* command(fails)
      yield* system.run("systemctl", "restart", broken)
      yield* becomes("signalbox.target", { ActiveState: "inactive" })
      yield* stop("signalbox.target")
      yield* becomes(sound, { ActiveState: "inactive" })
    }
  )

  booted(
    "split layout: an instance adopts the Postgres of another and takes over when that is gone; so does a command",
    function* (system) {
      yield* system.installUnit("signalbox@.service.d/test.conf", dropIn(standIn("postgres")))
      // The server must not inherit the first instance's capability, or the second instance could not see it.
      yield* system.installUnit("signalbox@first.service.d/low-ports.conf", shipped("drop-ins/low-ports.conf"))
      yield* start("signalbox@first.service")
      yield* start("signalbox@second.service")
      const postmaster = /started postmaster (\d+)/.exec(yield* system.journal("signalbox@first.service"))?.[1]
      const adopted = new RegExp(`adopted postmaster ${postmaster},`)
      assert.match(yield* system.journal("signalbox@second.service"), adopted)
      const command = yield* system.run(
        "setpriv",
        "--reuid=signalbox",
        "--regid=signalbox",
        "--clear-groups",
        "env",
        "SIGNALBOX_DATA_DIR=/var/lib/signalbox",
        ...standIn("postgres-once").split(" ")
      )
      assert.match(command.stderr, adopted)
      yield* stop("signalbox@first.service")
      yield* system.systemctl("restart", "signalbox@second.service")
      assert.match(yield* system.journal("signalbox@second.service"), /started postmaster/)
    }
  )

  booted("a port below 1024 needs low-ports.conf, and works with it", function* (system) {
    yield* system.writeFile("/etc/signalbox/signalbox.env", "STANDIN_PORT=25\n")
    yield* system.installUnit(`${unit}.d/test.conf`, dropIn(standIn("plain"), "Restart=no"))
    assert.notStrictEqual((yield* system.run("systemctl", "start", unit)).code, 0)
    assert.match(yield* system.journal(unit), /EACCES/)
    yield* system.installUnit(`${unit}.d/low-ports.conf`, shipped("drop-ins/low-ports.conf"))
    yield* start(unit)
    assert.match(yield* system.journal(unit), /listening/)
  })
})
