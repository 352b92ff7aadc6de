import { commandLine } from "#support/CommandLine.ts"
import { type Command, ensureBuilt, environmentOf, postgresOf, run as runProcess, start } from "#support/Executable.ts"
import { rowsOf, screen } from "#support/Screen.ts"
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"

/**
 * Longest orderly stop. Unit: milliseconds. Reason: well below the forced stop after 20 s; an idle suite takes a
 * fraction of a second.
 */
const orderly = 10_000

const folders: Array<string> = []
const commands: Array<Command> = []
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "signalbox-e2e-"))
  chmodSync(path, 0o711)
  folders.push(path)
  return path
}
const begin = (...args: Parameters<typeof start>) => {
  const command = start(...args)
  commands.push(command)
  return command
}

beforeAll(ensureBuilt, 120_000)
afterAll(async () => {
  for (const command of commands) command.signal("SIGKILL", "group")
  for (const path of folders) {
    await vi.waitUntil(() => postgresOf(path).length === 0, { timeout: 10_000 })
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
})

/** Checks an orderly end: status 0 in time, and no remaining process. */
const endsWell = async (command: Command, dataDir: string) => {
  const asked = performance.now()
  const end = await command.ended
  expect(end, end.stderr).toMatchObject({ code: 0, signal: null })
  expect(performance.now() - asked).toBeLessThan(orderly)
  expect(postgresOf(dataDir)).toEqual([])
}

describe("signalbox up on a fresh data directory", { timeout: 180_000 }, () => {
  const run = commandLine()
  const dataDir = folder()
  const env = environmentOf(dataDir)
  let suite: Command
  let base = ""
  beforeAll(async () => {
    suite = begin(["up"], env)
    base = (await suite.line("ready ")).slice("ready ".length)
  }, 120_000)

  it("prints where it is and one line to try, and is well", async () => {
    expect(await suite.line("try: ")).toMatch(/^try: +bin\/signalbox alarm send --demo$/)
    expect(await suite.line("console: ")).toMatch(new RegExp(`^console: +${base}/console/$`))
    expect(await suite.line("sign-in link: ")).toMatch(
      new RegExp(`^sign-in link: +${base}/console/#token=sbl_[\\w-]{43} \\(once, as admin@localhost\\)$`)
    )
    expect(await suite.line("status page: ")).toMatch(/^status page: +http:\/\/127\.0\.0\.1:\d+\/$/)
    expect(await suite.line("edge: ")).toMatch(/^edge: +http:\/\/127\.0\.0\.1:\d+\/login$/)
    expect(await suite.line("SMTP: ")).toMatch(/^SMTP: +127\.0\.0\.1:\d+ /)
    expect(await suite.line("data directory: ")).toMatch(new RegExp(`^data directory: +${dataDir}$`))
    // On a busy machine the event loop is late just after the start, which `/health` reports as degraded.
    const answer = () => fetch(`${base}/health`).then((response) => response.json())
    await expect
      .poll(answer, { timeout: 20_000 })
      .toMatchObject({
        status: "ok",
        daemons: { "alarm-bridge": { status: "ok" }, "comm-dispatcher": { status: "ok" } }
      })
    let printed = ""
    const health = async () => {
      const ended = await run(["health", "--url", base], env)
      printed = ended.stdout
      return ended
    }
    await expect
      .poll(health, { timeout: 20_000 })
      .toMatchObject({ code: 0, stdout: expect.stringMatching(/^comm-dispatcher +ok$/m) })
    expect(printed).not.toContain("\u001b")
  })

  it("prints so little that the sign-in link stays on the screen", async () => {
    await suite.line("try: ")
    const rows = rowsOf(suite.printed())
    expect(rows.length, rows.join("\n")).toBeLessThanOrEqual(screen.rows)
    expect(rows.some((row) => row.startsWith("sign-in link: "))).toBe(true)
  })

  it("the line it says to try works with nothing configured", async () => {
    const demo = await run(["alarm", "send", "--demo"], env)
    expect(demo.code, demo.stdout + demo.stderr).toBe(0)
    expect(demo.stdout).toMatch(
      /email\.parse_subject: done[\s\S]*run: delivered[\s\S]*arrived: POST \/demo[\s\S]*\ndelivered:/
    )
    const listed = JSON.parse((await run(["alarm", "list", "--json"], env)).stdout)
    expect(listed).toMatchObject([{ state: "delivered" }])
    // In the language of the installation.
    expect(demo.stdout).toContain("Eine Vorführung: dieser Alarm wurde zugestellt.")
    expect((await run(["alarm", "show", listed[0].id], env)).stdout).toContain("1. ")
  })

  it("makes a token beside it that opens its doors, until it is revoked", async () => {
    const made = await run(
      ["token", "create", "--name", "e2e", "--scope", "platform", "--expires", "1d", "--json"],
      env
    )
    const { id, token } = JSON.parse(made.stdout)
    const call = (headers: Record<string, string>) =>
      fetch(`${base}/api/v1/workflows/runs`, { headers }).then((answer) => answer.status)
    expect(await call({})).toBe(401)
    expect(await call({ "x-service-token": token })).toBe(200)
    const listed = await run(["token", "list"], env)
    expect(listed.stdout).toContain("e2e")
    expect(listed.stdout).not.toContain(token)
    expect((await run(["token", "revoke", String(id)], env)).code).toBe(0)
    expect((await run(["token", "revoke", String(id)], env)).code).toBe(1)
  })

  it("passes its own check", async () => {
    const check = await run(["check", "--json"], env)
    expect(check.code, check.stdout).toBe(0)
    expect(JSON.parse(check.stdout)).toMatchObject({ ok: true })
  })

  it("a mistake in a subject is shown in its place, and nothing is sent", async () => {
    const sent = await run(["alarm", "send", "CRITICAL:WEBHOK+http://example.org/"], env)
    expect(sent).toMatchObject({
      code: 64,
      stdout: "",
      stderr: expect.stringMatching(/\n {2}CRITICAL:WEBHOK.*\n {11}\^\n/)
    })
    expect(JSON.parse((await run(["alarm", "list", "--json"], env)).stdout)).toHaveLength(1)
  })

  it("an alarm that goes on is taken on by an operator, and found among the acknowledged", async () => {
    const sent = await run(["alarm", "send", "INFO:WEBHOOK+http://nobody.invalid/;RETRY:5x60m", "--json"], env)
    const { id } = JSON.parse(sent.stdout)
    const shown = async () => {
      const show = await run(["alarm", "show", id, "--json"], env)
      return show.code === 0 ? JSON.parse(show.stdout) : undefined
    }
    await vi.waitUntil(async () => (await shown())?.targets[0].attempts[0]?.state === "failed", { timeout: 20_000 })
    const ack = await run(["alarm", "ack", id, "--note", "on my way", "--json"], env)
    expect(ack.code, ack.stderr).toBe(0)
    const by = expect.stringMatching(/^operator@.+: on my way$/)
    expect(JSON.parse(ack.stdout)).toMatchObject({ id, state: "acknowledged", acknowledged_by: by, suppressed: 1 })
    expect(await shown()).toMatchObject({
      state: "acknowledged",
      acknowledged_by: by,
      targets: [{ state: "suppressed" }]
    })
    const again = await run(["alarm", "ack", id], env)
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/: on my way; 0 targets stopped, state acknowledged\.\n$/)
    })
    const listed = JSON.parse((await run(["alarm", "list", "--state", "acknowledged", "--json"], env)).stdout)
    expect(listed.map((one: { id: string }) => one.id)).toEqual([id])
    expect(await run(["alarm", "list", "--state", "open"], env)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("acknowledged")
    })
    expect(await run(["alarm", "ack", "00000000-0000-4000-8000-000000000000"], env)).toMatchObject({
      code: 1,
      stdout: ""
    })
  }, 180_000)

  it("stops at SIGTERM with status 0 and leaves no process", async () => {
    suite.signal("SIGTERM")
    await endsWell(suite, dataDir)
  }, 180_000)

  it("makes a token when only the data directory is there, and leaves nothing running", async () => {
    const made = await run(["token", "create", "--name", "alone", "--scope", "platform", "--json"], env)
    expect(JSON.parse(made.stdout), made.stderr).toMatchObject({ token: expect.stringMatching(/^sbx_/) })
    expect(postgresOf(dataDir)).toEqual([])
  })

  it("says that nobody would take an alarm up", async () => {
    const demo = await run(["alarm", "send", "--demo"], env)
    expect(demo).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no comm-dispatcher is running: start one with")
    })
  })
})

describe("signalbox run", { timeout: 180_000 }, () => {
  const dataDir = folder()
  const env = environmentOf(dataDir)

  it("killed with SIGKILL leaves no Postgres within seconds; the next start needs no help and stops at Ctrl-C", async () => {
    const first = begin(["run", "comm-dispatcher"], env)
    expect(await first.line("ready ")).toMatch(/^ready comm-dispatcher http:\/\/127\.0\.0\.1:\d+$/)
    expect(postgresOf(dataDir)).not.toEqual([])
    first.signal("SIGKILL")
    await first.ended
    await expect.poll(() => postgresOf(dataDir)).toEqual([])

    const second = begin(["run", "alarm-bridge", "comm-dispatcher", "--json"], env)
    const ready = JSON.parse(await second.line("{"))
    expect(Object.keys(ready.addresses).toSorted()).toEqual(["alarm-bridge", "comm-dispatcher"])
    // A terminal signals the whole process group, and npm forwards the signal once more.
    second.signal("SIGINT", "group")
    second.signal("SIGINT")
    await endsWell(second, dataDir)
  }, 120_000)

  it("refuses a wrong configuration with 78, names every problem, and tells no secret", async () => {
    const end = await runProcess(["run", "comm-dispatcher"], {
      ...environmentOf(folder()),
      DATABASE_URL: "mysql://signalbox:hunter2@localhost/signalbox",
      SIGNALBOX_GATEWAY_PORT: "eighty",
      SIGNALBOX_ALARM_DISPATCH: "sideways"
    })
    expect(end.code).toBe(78)
    expect(end.stdout).toBe("")
    for (const name of ["DATABASE_URL", "SIGNALBOX_GATEWAY_PORT", "SIGNALBOX_ALARM_DISPATCH"]) {
      expect(end.stderr).toMatch(new RegExp(`^  ${name} `, "m"))
    }
    expect(end.stderr).not.toContain("hunter2")
    expect(end.stderr).not.toMatch(/^\s+at /m)
  })

  it("alone creates a database, with `up` and `migrate`; every other command names the directory it asked", async () => {
    const dataDir = folder()
    const env = environmentOf(dataDir)
    for (const command of [
      ["user", "list"],
      ["token", "list"],
      ["alarm", "list"],
      ["secrets", "rotate"]
    ]) {
      const end = await runProcess(command, env)
      expect(end.code, end.stderr).toBe(78)
      expect(end.stderr).toMatch(
        new RegExp(`there is no database in ${dataDir}, .*SIGNALBOX_DATA_DIR.*DATABASE_URL.*bin/signalbox up`)
      )
    }
    expect(readdirSync(dataDir)).toEqual([])
    expect((await runProcess(["migrate"], env)).code).toBe(0)
    expect((await runProcess(["token", "list"], env)).code).toBe(0)
  }, 180_000)

  it("refuses a daemon that does not exist, and a wrong flag", async () => {
    const env = environmentOf(folder())
    expect(await runProcess(["run", "nobody"], env)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("comm-dispatcher")
    })
    expect((await runProcess(["up", "--fast"], env)).code).toBe(64)
    expect((await runProcess(["--help"], env)).code).toBe(0)
  })

  it("warns of an unknown variable, with the nearest name, and tells in one line that a port is taken", async () => {
    const first = begin(["run", "comm-dispatcher"], { ...env, SIGNALBOX_MAILHOST: "x" })
    const port = (await first.line("ready ")).split(":").at(-1)!
    const second = await runProcess(["run", "comm-dispatcher"], { ...env, SIGNALBOX_COMM_DISPATCHER_PORT: port })
    expect(second.code).toBe(1)
    expect(second.stderr).toMatch(
      new RegExp(
        `^signalbox: cannot listen on 127\\.0\\.0\\.1:${port}: the port is in use by another Signalbox ` +
          `\\(process ${first.pid}\\)\\. Stop that program, or set SIGNALBOX_COMM_DISPATCHER_PORT to another port$`,
        "m"
      )
    )
    first.signal("SIGTERM")
    await endsWell(first, dataDir)
    expect((await first.ended).stderr).toMatch(
      /SIGNALBOX_MAILHOST is not a known .* did you mean SIGNALBOX_MAIL_HOST\?/
    )
  }, 180_000)

  it("ends at once with 78 when its data directory vanishes, and makes no new database", async () => {
    const suite = begin(["run", "comm-dispatcher"], env)
    await suite.line("ready ")
    // At once: while files are deleted one by one, Postgres can write a new one.
    renameSync(dataDir, `${dataDir}-gone`)
    folders.push(`${dataDir}-gone`)
    const end = await suite.ended
    expect(end.code, end.stderr).toBe(78)
    expect(end.stderr).toMatch(new RegExp(`^signalbox: ${dataDir}\\S* has vanished while the program ran`, "m"))
    expect(existsSync(dataDir)).toBe(false)
  }, 180_000)
})

it("an old node on the PATH does not matter", async () => {
  const old = folder()
  writeFileSync(join(old, "node"), "#!/bin/sh\necho 'too old' >&2\nexit 1\n", { mode: 0o755 })
  const end = await runProcess(["--version"], { ...environmentOf(folder()), PATH: `${old}:/usr/bin:/bin` })
  expect(end).toMatchObject({ code: 0, stderr: "" })
})
