/** config/fail2ban, with the real programs: the files are accepted, and each jail bans at its number of log lines. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { requirePeer } from "#support/peers/install.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import * as ServerProcess from "#support/peers/ServerProcess.ts"
import { forged, lines } from "#support/SampleLogs.ts"

const shipped = join(import.meta.dirname, "../../config/fail2ban")

const jails = {
  "sip-brute-force": { log: "switch", count: 5, length: 86_400, line: (at: Date, who: string) => lines.sipAuth(at, who) },
  "sip-scanner": {
    log: "switch",
    count: 20,
    length: 7 * 86_400,
    line: (at: Date, who: string, index: number) => lines.sipUnknown(at, who, String(index))
  },
  "websocket-abuse": { log: "web", count: 60, length: 3_600, line: lines.websocketRefused },
  "mail-brute-force": {
    log: "mail",
    count: 5,
    length: 86_400,
    line: (at: Date, who: string, index: number) => (index % 2 === 0 ? lines.imapAuth(at, who) : lines.smtpAuth(at, who))
  },
  "mail-spam-sender": { log: "mail", count: 20, length: 86_400, line: lines.submitted }
}

/** A configuration folder with the shipped files, and jails whose logs are in a folder of the test. */
const place = Effect.gen(function* () {
  const folder = yield* scratchFolder("fail2ban")
  const config = join(folder, "etc")
  cpSync("/etc/fail2ban", config, { recursive: true })
  cpSync(shipped, config, { recursive: true })
  const logs = join(folder, "logs")
  mkdirSync(logs)
  for (const name of ["switch", "web", "mail"]) writeFileSync(join(logs, name), "")
  writeFileSync(
    join(config, "fail2ban.local"),
    `[DEFAULT]\nlogtarget = ${folder}/log\nsocket = ${folder}/sock\npidfile = ${folder}/pid\ndbfile = :memory:\n`
  )
  // The ban itself is a row of fail2ban's own list; no firewall is touched.
  writeFileSync(join(config, "action.d/none.conf"), "[Definition]\nactionban = true\nactionunban = true\n")
  // Stands in for the program, and writes down what it was told.
  const told = join(folder, "told")
  writeFileSync(join(folder, "program"), `#!/bin/sh\necho "$@" >> ${told}\n`, { mode: 0o755 })
  writeFileSync(told, "")
  const signalbox = `signalbox[name=%(__name__)s, program=${folder}/program]`
  const enabled = Object.entries(jails).map(
    ([name, { log }]) =>
      `[signalbox-${name}]\nenabled = true\nbackend = polling\nlogpath = ${logs}/${log}\naction = none\n ${signalbox}\nusedns = no\n`
  )
  writeFileSync(join(config, "jail.d/signalbox.local"), `[sshd]\nenabled = false\n${enabled.join("")}`)
  const program = requirePeer("fail2ban")
  const path = program.available ? program.path : ""
  const client = (...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = spawnSync(path, ["-c", config, "-s", `${folder}/sock`, ...args], {
      encoding: "utf8"
    })
    return { status, text: stdout + stderr }
  }
  return { folder, config, logs, path, client, told: () => readFileSync(told, "utf8").trim().split("\n") }
})

describePeers(["fail2ban"], "the files for fail2ban", () => {
  it.live(
    "are accepted, and match exactly the offences of sample logs",
    () =>
      Effect.gen(function* () {
        const { client, config, folder } = yield* place
        const checked = client("-t")
        assert.strictEqual(checked.status, 0, checked.text)
        const at = new Date()
        const all = [
          ...Object.values(lines).flatMap((line) => line(at, "198.51.100.7", "1000")),
          ...forged(at, "203.0.113.1", "198.51.100.8"),
          lines.imapAuth(at, "2001:db8::7")
        ]
        const file = join(folder, "sample")
        writeFileSync(file, `${all.join("\n")}\n`)
        const matched = (name: string) => {
          const { stdout } = spawnSync("fail2ban-regex", ["-o", "<ip>", file, join(config, `filter.d/signalbox-${name}.conf`)], {
            encoding: "utf8"
          })
          return stdout.trim().split("\n").filter((line) => line !== "").sort()
        }
        assert.deepStrictEqual(matched("sip-brute-force"), ["198.51.100.7", "198.51.100.7", "198.51.100.8", "198.51.100.8"])
        assert.deepStrictEqual(matched("sip-scanner"), ["198.51.100.7", "198.51.100.8"])
        assert.deepStrictEqual(matched("websocket-abuse"), ["198.51.100.7"])
        assert.deepStrictEqual(matched("mail-brute-force"), ["198.51.100.7", "198.51.100.7", "198.51.100.8", "2001:db8::7"])
        assert.deepStrictEqual(matched("mail-spam-sender"), ["198.51.100.7"])
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "ban at the number of the interface document and for its time, not before",
    () =>
      Effect.gen(function* () {
        const { client, config, folder, logs, told } = yield* place
        yield* ServerProcess.make({
          peer: "fail2ban",
          command: "fail2ban-server",
          args: ["-c", config, "-s", `${folder}/sock`, "-p", `${folder}/pid`, "-f", "start"],
          cwd: folder,
          isReady: async () => client("ping").status === 0 && client("status").text.includes("signalbox-mail-spam-sender"),
          log: () => ""
        })
        // One address a jail has one offence too few, another one exactly enough.
        Object.values(jails).forEach(({ count, line, log }, index) => {
          for (let each = 0; each < count; each++) {
            const at = new Date()
            if (each > 0) appendFileSync(join(logs, log), `${line(at, `198.51.100.${index}`, each)}\n`)
            appendFileSync(join(logs, log), `${line(at, `203.0.113.${index}`, each)}\n`)
          }
        })
        for (const [index, [name, { length }]] of Object.entries(jails).entries()) {
          const banned = () => client("get", `signalbox-${name}`, "banip", "--with-time").text
          yield* until(
            `${name} bans`,
            Effect.sync(() => banned().includes(`203.0.113.${index} `)),
            60
          )
          assert.include(banned(), `+ ${length} =`, name)
          assert.notInclude(banned(), `198.51.100.${index} `, name)
          const add = `ban add 203.0.113.${index} --for ${length}s --reason fail2ban signalbox-${name}`
          yield* until(
            `${name} tells Signalbox`,
            Effect.sync(() => told().includes(add)),
            60
          )
        }
        client("set", "signalbox-sip-scanner", "unbanip", "203.0.113.1")
        yield* until(
          "the end of a ban is told",
          Effect.sync(() =>
            told().includes("ban lift 203.0.113.1 --exempt 0 --reason fail2ban signalbox-sip-scanner")
          ),
          60
        )
      }).pipe(Effect.scoped),
    180_000
  )
})
