/** The alarm path of one checkout: alarm-bridge and comm-dispatcher over their own Postgres, and a webhook receiver. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { freePort } from "#support/peers/Loopback.ts"
import type * as Rig from "../alarm/Rig.ts"
import { pause } from "../alarm/Rig.ts"
import { median } from "../Figure.ts"

/** Alarms of one measurement. */
const alarms = 25
/** Longest wait for one alarm. Unit: seconds. */
const patience = 10

export interface Alarms {
  /** Median time from the end of a mail to its webhook. Unit: milliseconds. */
  readonly latency: () => Promise<number>
  readonly end: () => Promise<void>
}

/** `rig`: the module of that checkout, because it starts the executable beside it. */
export const start = async ({ Device, Sink, Suite, until }: typeof Rig): Promise<Alarms> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const sink = new Sink()
  const port = await sink.start()
  const smtpPort = await Effect.runPromise(freePort)
  const suite = await Suite.start({
    SIGNALBOX_DATA_DIR: join(folder, "var"),
    SIGNALBOX_ALARM_SMTP_PORT: String(smtpPort),
    SIGNALBOX_ALARM_ALLOWED_DOMAINS: "example.test",
    SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    SIGNALBOX_ALARM_BRIDGE_PORT: "0",
    SIGNALBOX_COMM_DISPATCHER_PORT: "0"
  })
  const device = await patiently(() => Device.connect(smtpPort))
  let count = 0
  const one = async (): Promise<number> => {
    const path = `/alarm-${count++}`
    const { dot } = await device.send(`INFO:WEBHOOK+http://127.0.0.1:${port}${path}`)
    await until(path, () => sink.arrivals.has(path), patience)
    return sink.arrivals.get(path)! - dot
  }
  return {
    latency: async () => {
      const latencies: Array<number> = []
      while (latencies.length < alarms) latencies.push(await one())
      return median(latencies)
    },
    end: async () => {
      device.close()
      await suite.end("SIGTERM")
      await sink.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Repeats until it succeeds, because the SMTP listener may open after the suite is ready. */
const patiently = async <A>(attempt: () => Promise<A>): Promise<A> => {
  for (let left = patience * 5; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0) throw error
      await pause(200)
    }
  }
}
