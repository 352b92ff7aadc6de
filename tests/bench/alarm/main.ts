// Benchmark of the alarm path: latency by SMTP and IMAP, throughput, start time, memory, idle cost, and survival of
// kill -9. Compares with a bare relay and with Alertmanager.

import { mkdtempSync, rmSync } from "node:fs"
import { createServer as createHttp } from "node:http"
import { type AddressInfo, createServer as createTcp } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { SMTPServer } from "smtp-server"
import * as Alertmanager from "#support/peers/Alertmanager.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { ensurePeers } from "#support/peers/install.ts"
import { type Figure, figure, median, quantile } from "../Figure.ts"
import { Device, pause, Sink, Suite, until, usage, Wire } from "./Rig.ts"

/** Alarms of a latency figure, sent at 20 per second. */
const latencyAlarms = 200
/** Interval between these alarms. Unit: milliseconds. */
const spacing = 50
/** Alarms of the throughput figure. */
const throughputAlarms = 1_000
/** Number of SMTP connections that send them. */
const devices = 8
/** Alarms accepted while the receiver is unreachable. */
const heldAlarms = 100

const note = (text: string) => process.stderr.write(`${text}\n`)

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  await ensurePeers(["mail", "alertmanager"], note)
  const scope = Effect.runSync(Scope.make())
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const sink = new Sink()
  const port = await sink.start()
  try {
    const user = { address: "alarm@example.test", password: "bench" }
    const dovecot = await inScope(Dovecot.make({ users: [user] }))
    const wire = await Wire.to(dovecot.imapPort)
    const smtpPort = await freePort()
    const env = {
      SIGNALBOX_DATA_DIR: join(folder, "var"),
      SIGNALBOX_ALARM_SMTP_PORT: String(smtpPort),
      SIGNALBOX_ALARM_ALLOWED_DOMAINS: "example.test",
      SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SIGNALBOX_ALARM_BRIDGE_PORT: "0",
      SIGNALBOX_COMM_DISPATCHER_PORT: "0",
      SIGNALBOX_ALARM_MAILBOXES: JSON.stringify([
        { name: "bench", host: "127.0.0.1", port: wire.port, tls: "none", user: user.address, password: user.password }
      ])
    }
    note("first start (initdb)")
    await (await Suite.start(env)).end("SIGTERM")
    return [
      ...(await warm(env, { sink, port, smtpPort, wire, dovecot, user })),
      ...(await survival(env, { sink, port, smtpPort }, inScope))
    ]
  } finally {
    await sink.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Rig {
  readonly sink: Sink
  readonly port: number
  readonly smtpPort: number
}

const hook = (port: number, path: string) => `WEBHOOK+http://127.0.0.1:${port}${path}`

const warm = async (env: Readonly<Record<string, string>>, rig: Rig & ImapRig): Promise<ReadonlyArray<Figure>> => {
  const starts: Array<number> = []
  for (let index = 0; index < 2; index++) {
    const suite = await Suite.start(env)
    starts.push(suite.readyAfter)
    await suite.end("SIGTERM")
  }
  const suite = await Suite.start(env)
  starts.push(suite.readyAfter)
  const pid = suite.child.pid!
  try {
    await pause(3_000)
    note("idle")
    const before = usage(pid)
    await pause(20_000)
    const after = usage(pid)
    const idle = ((after.node.cpu + after.postgres.cpu - before.node.cpu - before.postgres.cpu) / 20) * 100

    note("latency by SMTP, and of a relay that keeps nothing")
    const relay = await bareRelay()
    const [ours, floor] = await interleaved(rig, relay.port)
    relay.close()

    note("latency by IMAP")
    const imap = await imapLatency(rig)

    note("throughput")
    const rate = await throughput(rig)
    const loaded = usage(pid)
    return [
      figure("smtp end-of-data to first channel byte, p50", median(ours), "ms", { floor: median(floor), target: 30 }),
      figure("smtp end-of-data to first channel byte, p99", quantile(ours, 0.99), "ms", {
        floor: quantile(floor, 0.99),
        target: 150
      }),
      figure("imap exists to first channel byte, p50", median(imap), "ms", { target: 40 }),
      figure("imap exists to first channel byte, p99", quantile(imap, 0.99), "ms", { target: 150 }),
      figure("alarms a second, two webhooks each", rate, "1/s", { target: 100, better: "more" }),
      figure("ready after a warm start", median(starts) / 1000, "s", { target: 3 }),
      figure("memory of Node after the load", loaded.node.memory, "MB", { target: 200 }),
      figure("memory of Postgres after the load", loaded.postgres.memory, "MB"),
      figure("memory of Node idle", after.node.memory, "MB", { target: 200 }),
      figure("idle, Node and Postgres, of one core", idle, "%", { target: 2 })
    ]
  } finally {
    await suite.end("SIGTERM")
  }
}

/** Baseline: an SMTP server on the same library that posts to the webhook at once and stores nothing. */
const bareRelay = async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onData: (stream, _session, done) => {
      let text = ""
      stream.on("data", (chunk) => (text += String(chunk)))
      stream.on("end", () => {
        const url = /http:\/\/\S+/.exec(text)![0].split(";")[0]!
        void fetch(url, { method: "POST", body: "{}" }).then((answer) => answer.arrayBuffer())
        done()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  return { port: (server.server.address() as AddressInfo).port, close: () => server.close(() => {}) }
}

/** Alternates between our daemon and the baseline, so that both see the same machine load. */
const interleaved = async (rig: Rig, relayPort: number) => {
  const ours: Array<number> = []
  const floor: Array<number> = []
  const device = await Device.connect(rig.smtpPort)
  const bare = await Device.connect(relayPort)
  const measure = async (through: Device, path: string, into: Array<number>) => {
    const { dot } = await through.send(`INFO:${hook(rig.port, path)}`)
    await until(path, () => rig.sink.arrivals.has(path), 10)
    into.push(rig.sink.arrivals.get(path)! - dot)
  }
  const begun = performance.now()
  for (let index = 0; index < latencyAlarms + 20; index++) {
    await pause(Math.max(0, begun + index * spacing - performance.now()))
    // The first twenty mails warm up both sides.
    await measure(device, `/smtp-${process.pid}-${index}`, index < 20 ? [] : ours)
    await measure(bare, `/bare-${process.pid}-${index}`, index < 20 ? [] : floor)
  }
  device.close()
  bare.close()
  return [ours, floor] as const
}

/**
 * Latency from the server's EXISTS, recorded by the proxy on the bridge's connection, to the first byte at the sink.
 */
const imapLatency = async (rig: Rig & ImapRig) => {
  const latencies: Array<number> = []
  for (let index = 0; index < latencyAlarms / 4; index++) {
    const path = `/imap-${process.pid}-${index}`
    const known = rig.wire.exists.length
    await Effect.runPromise(
      rig.dovecot.deliver(
        rig.user.address,
        `From: bench@example.test\r\nSubject: INFO:${hook(rig.port, path)}\r\nMessage-ID: <${path.slice(1)}@example.test>\r\n\r\nbench\r\n`
      )
    )
    await until(path, () => rig.sink.arrivals.has(path), 20)
    latencies.push(rig.sink.arrivals.get(path)! - rig.wire.exists[known]!)
  }
  return latencies
}

interface ImapRig {
  readonly wire: Wire
  readonly dovecot: Dovecot.Dovecot
  readonly user: { readonly address: string; readonly password: string }
}

/** Alarms per second, from the first mail to the last delivery. */
const throughput = async (rig: Rig) => {
  const each = throughputAlarms / devices
  const round = async (label: string, count: number) => {
    const begun = performance.now()
    await Promise.all(
      Array.from({ length: devices }, async (_, device) => {
        const connection = await Device.connect(rig.smtpPort)
        for (let index = 0; index < count; index++) {
          const path = `/${label}-${process.pid}-${device}-${index}`
          await connection.send(`INFO:${hook(rig.port, `${path}-a`)};${hook(rig.port, `${path}-b`)}`)
        }
        connection.close()
      })
    )
    const all = devices * count * 2
    const arrived = () => [...rig.sink.arrivals.keys()].filter((path) => path.startsWith(`/${label}-`)).length
    await until(`${label}: all deliveries`, () => arrived() >= all, 120)
    return (devices * count) / ((performance.now() - begun) / 1000)
  }
  await round("warmup", 10)
  return round("load", each)
}

/**
 * Survival test: 100 alarms are accepted while the receiver is unreachable, then kill -9 and a restart. Returns the
 * number of alarms that never arrive, for us and for Alertmanager.
 */
const survival = async (
  env: Readonly<Record<string, string>>,
  rig: Rig,
  inScope: <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Promise<A>
): Promise<ReadonlyArray<Figure>> => {
  note("100 alarms accepted with the receiver away, kill -9, restart")
  const quick = { ...env, SIGNALBOX_ALARM_MINUTE_MS: "500" }
  let suite = await Suite.start(quick)
  const paths = Array.from({ length: heldAlarms }, (_, index) => `/held-${process.pid}-${index}`)
  rig.sink.away = true
  try {
    const device = await Device.connect(rig.smtpPort)
    for (const path of paths) await device.send(`CRITICAL:${hook(rig.port, path)};RETRY:20x10m`)
    device.close()
  } finally {
    // Always kills the suite, also after an error, because its folder is deleted.
    await suite.end("SIGKILL")
  }
  rig.sink.away = false
  suite = await Suite.start(quick)
  const arrived = () => paths.filter((path) => rig.sink.arrivals.has(path)).length
  await until("the held alarms", () => arrived() === heldAlarms, 60).catch(() => undefined)
  await suite.end("SIGTERM")

  note("the same with Alertmanager")
  const sink = await alertSink()
  const manager = await inScope(Alertmanager.make({ webhookUrl: `http://127.0.0.1:${sink.port}/` }))
  sink.away = true
  await Effect.runPromise(manager.post(paths.map((path) => ({ labels: { alertname: path } }))))
  await pause(1_500)
  await Effect.runPromise(manager.kill9)
  sink.away = false
  await Effect.runPromise(manager.restart)
  await pause(10_000)
  sink.close()
  return [
    figure("lost of 100 accepted, receiver away, kill -9", heldAlarms - arrived(), "alarms", { target: 0 }),
    figure("the same 100 by Alertmanager", heldAlarms - sink.alerts.size, "alarms")
  ]
}

/** Webhook receiver for Alertmanager: records the names of alerts received while it is not `away`. */
const alertSink = async () => {
  const alerts = new Set<string>()
  const state = { away: false, alerts, port: 0, close: () => {} }
  const server = createHttp((request, response) => {
    let text = ""
    request.on("data", (chunk) => (text += String(chunk)))
    request.on("end", () => {
      if (!state.away) {
        for (const alert of JSON.parse(text).alerts as ReadonlyArray<{ labels: { alertname: string } }>) {
          alerts.add(alert.labels.alertname)
        }
      }
      response.writeHead(state.away ? 503 : 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  state.port = (server.address() as AddressInfo).port
  state.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return state
}

/** A currently free port. */
const freePort = async () => {
  const probe = createTcp()
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", () => resolve()))
  const { port } = probe.address() as AddressInfo
  await new Promise<void>((resolve) => probe.close(() => resolve()))
  return port
}
