/** Built-in checks before real parts: a full file system, certificates near their end, Postfix, podman, systemd. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { createSocket } from "node:dgram"
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createServer } from "node:tls"
import { beforeAll, expect } from "vitest"
import { type BuiltCheck, findingOf, type Source } from "#daemons/watchdog/monitoring/BuiltCheck.ts"
import { askEndpoint, certificateFiles } from "#daemons/watchdog/monitoring/probes/Certificates.ts"
import { mailQueue } from "#daemons/watchdog/monitoring/probes/MailQueue.ts"
import { units } from "#daemons/watchdog/monitoring/probes/Units.ts"
import * as Sntp from "#protocols/sntp/Client.ts"
import { BootedSystemd, describeBooted } from "#support/BootedSystemd.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { ensurePeers } from "#support/peers/install.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import * as Podman from "#support/peers/Podman.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import { signal } from "#support/Processes.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { untilWithin } from "#support/Within.ts"
import { makeAuthority } from "../../status-checker/checks/Certificates.ts"
import { host, startMonitoring } from "./MonitoringSuite.ts"

beforeAll(async () => {
  await ensurePeers(["containers", "mail"])
}, 600_000)

const found = (source: Source) => Effect.map(source.discover([]), (checks) => checks ?? [])
const checkOf = (source: Source, key: string) =>
  Effect.map(found(source), (checks): BuiltCheck => {
    const check = checks.find((one) => one.key === key)
    if (check === undefined) throw new Error(`no ${key} among ${checks.map((one) => one.key).join(", ")}`)
    return check
  })
const statusOf = ({ probe, thresholds }: BuiltCheck) =>
  Effect.map(probe, (reading) => findingOf(reading, thresholds).status)

const isRoot = process.getuid?.() === 0

/** Mounts a new ext4 file system of 16 MiB from a file, without reserved blocks. `unmount` may come before the end. */
const loopDisk = Effect.gen(function* () {
  const folder = yield* temporaryDirectory()
  const [image, path] = [join(folder, "image"), join(folder, "disk")]
  mkdirSync(path)
  execFileSync("truncate", ["--size=16M", image])
  execFileSync("mkfs.ext4", ["-q", "-F", "-m", "0", "-N", "128", "-O", "^has_journal", image])
  execFileSync("mount", ["-o", "loop", image, path])
  let isMounted = true
  const unmount = Effect.sync(() => {
    if (isMounted) execFileSync("umount", [path])
    isMounted = false
  })
  yield* Effect.addFinalizer(() => unmount)
  return { path, unmount }
})

it.live.skipIf(!isRoot)(
  "a disk in a file that fills fires once, recovers once, and closes its alert when it is unmounted",
  () =>
    Effect.gen(function* () {
      const { path, unmount } = yield* loopDisk
      const place = yield* startMonitoring({ only: ["disk", "inodes"] })
      const disk = `${host} disk ${path}`
      const inodes = `${host} inodes ${path}`
      // Nobody named it: it is found among the mounted disks.
      yield* place.shows(disk, "ok")
      yield* place.shows(inodes, "ok")
      const { bavail, bsize } = statfsSync(path)
      const write = (name: string, share: number) =>
        writeFileSync(join(path, name), Buffer.alloc(Math.round(share * bavail * bsize), 1))
      write("big", 0.9)
      yield* place.shows(disk, "warning")
      write("more", 0.08)
      yield* place.shows(disk, "critical")
      // A worse severity is told once more, as a change of the same alert.
      yield* place.hears(disk, "opened", "opened")
      yield* place.runs(disk, 2)
      yield* place.hears(disk, "opened", "opened")
      rmSync(join(path, "big"))
      yield* place.hears(disk, "opened", "opened", "closed")
      for (let number = 0; number < 105; number++) writeFileSync(join(path, `n${number}`), "")
      yield* place.hears(inodes, "opened")
      for (let number = 0; number < 105; number++) rmSync(join(path, `n${number}`))
      yield* place.hears(inodes, "opened", "closed")
      for (let number = 0; number < 105; number++) writeFileSync(join(path, `n${number}`), "")
      yield* place.hears(inodes, "opened", "closed", "opened")
      yield* place.hears(disk, "opened", "opened", "closed")
      yield* unmount
      yield* place.hears(inodes, "opened", "closed", "opened", "removed")
      expect(yield* place.check(disk)).toBeUndefined()
    }).pipe(Effect.scoped),
  400_000
)

it.live(
  "certificates near their end, in files and at endpoints with SNI",
  () =>
    Effect.gen(function* () {
      const { authority, certificate } = yield* makeAuthority
      const folder = yield* temporaryDirectory()
      const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
      write("long.pem", certificate(30).cert)
      write("soon.pem", certificate(10).cert)
      write("now.pem", certificate(2).cert)
      write("chain.pem", certificate(30).cert + certificate(5).cert)
      write("broken.pem", "nothing")
      const source = certificateFiles(host, [`${folder}/*.pem`, join(folder, "missing")])
      const status = (name: string) =>
        Effect.flatMap(checkOf(source, `${host} certificate ${join(folder, name)}`), statusOf)
      expect(yield* status("long.pem")).toBe("ok")
      expect(yield* status("soon.pem")).toBe("warning")
      expect(yield* status("now.pem")).toBe("critical")
      expect(yield* status("chain.pem")).toBe("warning")
      expect(yield* status("broken.pem")).toBe("critical")
      expect(yield* status("missing")).toBe("critical")
      // Renewed.
      write("now.pem", certificate(30).cert)
      expect(yield* status("now.pem")).toBe("ok")

      const server = yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<ReturnType<typeof createServer>>((resolve) => {
              const listening = createServer(certificate(10), (socket) => void socket.on("error", () => {}))
              listening.on("tlsClientError", () => {})
              listening.listen(0, "127.0.0.1", () => resolve(listening))
            })
        ),
        (listening) => Effect.sync(() => void listening.close())
      )
      const { port } = server.address() as { readonly port: number }
      const ask = (servername: string | null) => askEndpoint({ host: "127.0.0.1", port, servername }, [authority])
      const reading = yield* ask("localhost")
      expect(reading.status).toBeUndefined()
      expect(Math.round(reading.value!)).toBe(10)
      // Without SNI the server shows the certificate of another name.
      expect((yield* ask(null)).status).toBe("critical")
    }).pipe(Effect.scoped),
  120_000
)

it.live("the clock of a time server", () =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => createSocket("udp4")),
      (socket) => Effect.sync(() => void socket.close())
    )
    let answer: (request: Buffer) => Buffer = (request) => {
      const packet = Buffer.alloc(48)
      packet[0] = (4 << 3) | 4
      packet[1] = 2
      request.copy(packet, 24, 40, 48)
      const time = Date.now() / 1_000 + 100 + 2_208_988_800
      for (const at of [32, 40]) {
        packet.writeUInt32BE(Math.floor(time), at)
        packet.writeUInt32BE(Math.floor((time % 1) * 2 ** 32), at + 4)
      }
      return packet
    }
    server.on("message", (request, from) => void server.send(answer(request), from.port, from.address))
    yield* Effect.promise(() => new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve)))
    const { port } = server.address()
    const { offset } = yield* Sntp.ask("127.0.0.1", port)
    expect(Math.abs(offset - 100_000)).toBeLessThan(5_000)
    const good = answer
    for (const [byte, value, why] of [
      [1, 0, "refuses"],
      [1, 16, "no time"],
      [0, (4 << 3) | 3, "not of a server"],
      [24, 1, "another request"]
    ] as const) {
      answer = (request) => {
        const packet = good(request)
        packet[byte] = byte === 24 ? packet[24]! ^ value : value
        return packet
      }
      expect((yield* Effect.flip(Sntp.ask("127.0.0.1", port))).message).toContain(why)
    }
    answer = () => Buffer.alloc(3)
    expect((yield* Effect.flip(Sntp.ask("127.0.0.1", port))).message).toContain("too short")
  }).pipe(Effect.scoped)
)

describePeers(["postfix"], "Postfix", () => {
  it.live(
    "its queue is counted by postqueue, and by its files where postqueue may not",
    () =>
      Effect.gen(function* () {
        const folder = yield* scratchFolder("queue")
        yield* Postfix.makeFolders(folder)
        const main = (more = "") =>
          writeFileSync(
            join(folder, "main.cf"),
            `compatibility_level = 3.6\nqueue_directory = ${folder}/queue\ndata_directory = ${folder}/data\n` +
              `alternate_config_directories = \nmyhostname = mail.example.test\n${more}`
          )
        main()
        writeFileSync(join(folder, "master.cf"), "")
        const source = mailQueue(host, [folder, "/nonexistent"])
        expect(yield* found(source)).toHaveLength(1)
        const check = yield* checkOf(source, `${host} mail queue ${folder}`)
        expect(yield* check.probe).toMatchObject({ value: 0, detail: "0 messages" })
        // Every program of Postfix refuses this configuration.
        main("inet_protocols = none of them\n")
        for (let number = 0; number < 101; number++) {
          const path = join(folder, "queue/deferred", `A${number}`)
          writeFileSync(path, "")
          chmodSync(path, 0o700)
        }
        expect(yield* check.probe).toMatchObject({ value: 101, measurements: { deferred: 101 } })
        expect(yield* statusOf(check)).toBe("warning")
        rmSync(join(folder, "queue/deferred/A7"))
        expect(yield* statusOf(check)).toBe("ok")
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "101 deferred messages in a real queue fire once, and recover once when they are gone",
    () =>
      Effect.gen(function* () {
        // Nobody listens on the port of deliveries, so every message is deferred.
        const postfix = yield* Postfix.make({ lmtpPort: 1, settings: ["minimal_backoff_time = 1h"] })
        const place = yield* startMonitoring({
          only: ["mail_queue"],
          env: { SIGNALBOX_MONITOR_POSTFIX: postfix.config }
        })
        const key = `${host} mail queue ${postfix.config}`
        yield* place.shows(key, "ok")
        const session = yield* RawSmtp.connect({ port: postfix.smtpPort })
        yield* session.reply
        yield* session.say("EHLO test")
        const send = Effect.gen(function* () {
          yield* session.say("MAIL FROM:<a@example.test>")
          yield* session.say("RCPT TO:<b@example.test>")
          yield* session.data("Subject: x\r\n\r\ny")
        })
        // A message that moves between two queues can be counted twice or not at all.
        const deferred = (count: number) =>
          place.until(
            `${count} are deferred`,
            Effect.map(place.check(key), ({ measurements }) => measurements.deferred === count)
          )
        for (let number = 0; number < 100; number++) yield* send
        yield* deferred(100)
        yield* place.runs(key, 2)
        expect(yield* place.check(key)).toMatchObject({ value: 100, status: "ok" })
        yield* send
        yield* place.hears(key, "opened")
        yield* deferred(101)
        expect(yield* place.check(key)).toMatchObject({
          detail: "101 messages: 101 deferred",
          detail_de: "101 Nachrichten: 101 deferred",
          status: "warning"
        })
        yield* place.hears(key, "opened")
        execFileSync("postsuper", ["-c", postfix.config, "-d", "ALL"], { stdio: "ignore" })
        yield* place.hears(key, "opened", "closed")
        expect(yield* place.check(key)).toMatchObject({ value: 0 })
      }).pipe(Effect.scoped),
    200_000
  )
})

describePeers(["podman", "busybox-static"], "podman", () => {
  it.live(
    "containers are healthy, unhealthy, stopped and gone, and a hung engine says nothing about them",
    () =>
      Effect.gen(function* () {
        const podman = yield* Podman.make
        yield* podman.run("web", { checked: true })
        yield* podman.run("plain", {})
        yield* podman.check("web")
        const place = yield* startMonitoring({
          only: ["container", "engine"],
          env: { SIGNALBOX_CONTAINER_SOCKET: podman.socketPath, SIGNALBOX_MONITOR_CONTAINERS: "needed" }
        })
        const [web, plain, needed] = ["web", "plain", "needed"].map((name) => `${host} container ${name}`)
        yield* place.shows(web!, "ok")
        yield* place.shows(plain!, "ok")
        yield* place.shows(needed!, "critical")
        yield* podman.ail("web")
        yield* podman.stop("plain")
        yield* place.hears(web!, "opened")
        yield* place.hears(plain!, "opened")
        expect(yield* place.check(web!)).toMatchObject({ detail: "unhealthy", group: "container web" })
        yield* podman.heal("web")
        yield* podman.start("plain")
        yield* place.hears(web!, "opened", "closed")
        yield* place.hears(plain!, "opened", "closed")
        yield* podman.stop("plain")
        yield* place.hears(plain!, "opened", "closed", "opened")
        yield* podman.remove("plain")
        yield* place.hears(plain!, "opened", "closed", "opened", "removed")
        expect(place.alerts.of(needed!)).toEqual(["opened"])
        // The engine hangs: one alert, of the engine.
        for (const key of [web!, `${host} container engine`]) {
          const { id } = yield* place.check(key)
          yield* place.send("PUT", `/${id}`, { timeout_s: 1 })
        }
        yield* place.runs(web!, 1)
        signal(podman.service.pid()!, "SIGSTOP")
        yield* place.hears(`${host} container engine`, "opened")
        yield* place.shows(web!, "unknown")
        expect(place.alerts.of(web!)).toEqual(["opened", "closed"])
        signal(podman.service.pid()!, "SIGCONT")
        yield* place.hears(`${host} container engine`, "opened", "closed")
        yield* place.shows(web!, "ok")
      }).pipe(Effect.scoped),
    400_000
  )
})

describeBooted("systemd", () => {
  it.live(
    "finds a unit that fails, and one that restarts again and again, until they are well",
    () =>
      Effect.gen(function* () {
        const inside = yield* BootedSystemd
        const folder = yield* temporaryDirectory()
        const systemctl = join(folder, "systemctl")
        writeFileSync(systemctl, `#!/bin/sh\nexec nsenter -t ${yield* inside.pid} -m -p -C -u -i -n systemctl "$@"\n`)
        chmodSync(systemctl, 0o755)
        const source = units(host, ["named.service"], systemctl)
        const named = yield* checkOf(source, `${host} unit named.service`)
        expect(yield* statusOf(named)).toBe("critical")
        const unit = (command: string, more = "") =>
          `[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=${command}\n${more}`
        yield* inside.installUnit("named.service", unit("/bin/true"))
        yield* inside.systemctl("start", "named.service")
        expect(yield* statusOf(named)).toBe("ok")

        yield* inside.installUnit("bad.service", unit("/bin/sh -c 'test -e /run/well'"))
        yield* inside.installUnit(
          "loop.service",
          "[Unit]\nStartLimitIntervalSec=0\n[Service]\nExecStart=/bin/false\nRestart=always\nRestartSec=60\n"
        )
        yield* inside.run("systemctl", "start", "bad.service", "loop.service")
        const bad = yield* checkOf(source, `${host} unit bad.service`)
        yield* untilWithin(
          60,
          "the loop is seen",
          Effect.map(found(source), (checks) => checks.some(({ key }) => key === `${host} unit loop.service`))
        )
        const loop = yield* checkOf(source, `${host} unit loop.service`)
        expect(yield* statusOf(bad)).toBe("critical")
        expect((yield* loop.probe).detail).toContain("restarts again and again")
        yield* inside.run("touch", "/run/well")
        yield* inside.systemctl("start", "bad.service")
        yield* inside.systemctl("stop", "loop.service")
        expect(yield* statusOf(bad)).toBe("ok")
        expect(yield* statusOf(loop)).toBe("ok")
        // They stay checks, so that their recovery is seen.
        expect((yield* found(source)).map(({ key }) => key)).toContain(`${host} unit bad.service`)
      }).pipe(Effect.provide(BootedSystemd.layer), Effect.scoped),
    240_000
  )
})
