import { commandLine } from "#support/CommandLine.ts"
import { type Command, ensureBuilt, environmentOf, postgresOf, start } from "#support/Executable.ts"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"

const run = commandLine()

/** Longest time of one command. Unit: milliseconds. Reason: far above the time needed on loaded cores. */
const patience = 60_000

const commands: Array<Command> = []
const dataDir = mkdtempSync(join(tmpdir(), "signalbox-e2e-"))
chmodSync(dataDir, 0o711)
const env = { ...environmentOf(dataDir), SIGNALBOX_IDENTITY_PORT: "0" }

beforeAll(ensureBuilt, 60_000)
afterAll(async () => {
  for (const command of commands) command.signal("SIGKILL", "group")
  await vi.waitUntil(() => postgresOf(dataDir).length === 0, { timeout: 10_000 })
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

const password = "a phrase of the operator"
const json = async (...args: ReadonlyArray<string>) => {
  const end = await run([...args, "--json"], env)
  expect(end.code, end.stderr).toBe(0)
  return JSON.parse(end.stdout)
}

describe("signalbox user, tenant and audit", () => {
  let suite: Command
  let base = ""
  const login = (email: string, typed = password) =>
    fetch(`${base}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: typed })
    })
  const as = async (email: string, path: string, typed = password) => {
    const { access_token } = (await (await login(email, typed)).json()) as { access_token: string }
    return () =>
      fetch(`${base}${path}`, { headers: { authorization: `Bearer ${access_token}` } }).then(({ status }) => status)
  }

  it(
    "makes a user when only the migrated database is there, and leaves nothing running",
    async () => {
      expect((await run(["migrate"], env)).code).toBe(0)
      const made = await json(
        "user",
        "create",
        "--email",
        "Anna@Example.org",
        "--password",
        password,
        "--role",
        "admin"
      )
      expect(made).toMatchObject({ email: "anna@example.org", role: "admin", tenant_id: 1, state: "active" })
      expect(JSON.stringify(made)).not.toMatch(/hash|link/)
      expect(postgresOf(dataDir)).toEqual([])
    },
    patience
  )

  it(
    "they sign in, and so does one who was made beside the running suite",
    async () => {
      suite = start(["up"], env)
      commands.push(suite)
      base = (await suite.line("ready ")).slice("ready ".length)
      expect((await login("anna@example.org")).status).toBe(200)
      const file = join(dataDir, "password")
      writeFileSync(file, `${password}\n`)
      await json(
        "user",
        "create",
        "--email",
        "berta@example.org",
        "--password-file",
        file,
        "--role",
        "reseller",
        "--name",
        "Berta B.",
        "--locale",
        "de"
      )
      expect((await login("berta@example.org")).status).toBe(200)
      const change = ["user", "change", "berta@example.org", "--time-zone"]
      expect(await json(...change, "us/eastern")).toMatchObject({ locale: "de", time_zone: "America/New_York" })
      expect((await run([...change, ""], env)).stdout).toContain("Language de, times as the user's device has them")
      expect((await run([...change, "Nowhere"], env)).stderr).toContain("--time-zone must be a time zone such as")
    },
    patience
  )

  it(
    "prints a sign-in link for a user without a password, valid once",
    async () => {
      const { link } = await json("user", "create", "--email", "carla@example.org")
      const open = () =>
        fetch(`${base}/api/v1/auth/link`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ token: new URL(link.url).hash.slice(1) })
        }).then(({ status }) => status)
      expect([await open(), await open()]).toEqual([200, 401])
      const told = await run(["user", "link", "carla@example.org"], {
        ...env,
        SIGNALBOX_PUBLIC_URL: "https://box.example/"
      })
      expect(told.stdout).toMatch(
        /^https:\/\/box\.example\/api\/v1\/auth\/welcome#sbl_\S+\nSend the link to the user: /
      )
    },
    patience
  )

  it(
    "signs them out after a suspension, another role, a new password, their tenant's suspension",
    async () => {
      const { id } = await json("tenant", "create", "--name", "Acme")
      const { stdout: tenants } = await run(["tenant", "list"], env)
      expect(tenants).toMatch(/^ID +NAME +STATE +CREATED$/m)
      expect(tenants).toMatch(new RegExp(`^${id} +Acme +active +\\d`, "m"))
      await json(
        "user",
        "create",
        "--email",
        "dora@example.org",
        "--password",
        password,
        "--role",
        "admin",
        "--tenant",
        String(id)
      )
      let typed = password
      await login("dora@example.org")
      expect(await json("user", "sessions", "dora@example.org")).toMatchObject([
        { methods: ["password"], address: "127.0.0.1" }
      ])
      for (const [command, undo] of [
        [
          ["user", "suspend", "dora@example.org"],
          ["user", "unsuspend", "dora@example.org"]
        ],
        [["user", "role", "dora@example.org", "reseller"], []],
        [["user", "password", "dora@example.org", "--password", "another good phrase"], []],
        [["user", "sign-out", "dora@example.org"], []],
        [
          ["tenant", "suspend", String(id)],
          ["tenant", "unsuspend", String(id)]
        ]
      ]) {
        const call = await as("dora@example.org", "/api/v1/users", typed)
        expect(await call(), command!.join(" ")).toBe(200)
        await json(...command!)
        await vi.waitUntil(async () => (await call()) === 401, { timeout: patience, interval: 50 })
        if (undo!.length > 0) await json(...undo!)
        if (command!.includes("password")) typed = "another good phrase"
      }
      expect(await json("user", "delete", "dora@example.org")).toMatchObject({ deleted: true })
      expect((await login("dora@example.org", typed)).status).toBe(401)
    },
    2 * patience
  )

  it(
    "refuses forbidden changes with an instruction",
    async () => {
      const says = async (code: number, text: string, ...args: ReadonlyArray<string>) =>
        expect(await run(args, env), args.join(" ")).toMatchObject({
          code,
          stdout: "",
          stderr: expect.stringContaining(text)
        })
      await says(1, "Create or activate another admin", "user", "suspend", "anna@example.org")
      await says(
        1,
        "An account already has this address",
        "user",
        "create",
        "--email",
        "berta@example.org",
        "--password",
        password
      )
      await says(64, "is not a valid e-mail address", "user", "create", "--email", "nobody", "--password", password)
      await says(64, "at least 10 characters", "user", "create", "--email", "e@example.org", "--password", "short")
      await says(64, "roles are admin, reseller, customer, user, support", "user", "role", "berta@example.org", "king")
      await says(
        1,
        "signalbox tenant list",
        "user",
        "create",
        "--email",
        "e@example.org",
        "--password",
        password,
        "--tenant",
        "77"
      )
      await says(1, "signalbox user list", "user", "show", "e@example.org")
      await says(1, "Not permitted for the provider's tenant", "tenant", "suspend", "1")
    },
    patience
  )

  it(
    "lists what was done, by whom, and follows it",
    async () => {
      const entries = await json("audit", "list", "--action", "user.*", "--actor", "operator", "--limit", "200")
      expect(entries.at(-1)).toMatchObject({
        action: "user.created",
        actor: "operator",
        entity_type: "user",
        entity_id: "1",
        tenant_id: 1,
        detail: { role: "admin", password: true }
      })
      expect(JSON.stringify(entries)).not.toContain(password)
      const of = await json("audit", "list", "--entity-type", "user", "--entity-id", "2", "--since", "1h")
      expect(of.map((entry: { action: string }) => entry.action)).toEqual([
        "user.changed",
        "user.changed",
        "user.created"
      ])
      const follower = start(["audit", "list", "--action", "user.*", "--follow", "--json", "--limit", "1"], env)
      commands.push(follower)
      await follower.line("{")
      await json("user", "suspend", "carla@example.org")
      expect(
        JSON.parse(
          await follower.line(
            '{"id":' + String((await json("audit", "list", "--action", "user.suspended", "--limit", "1"))[0].id)
          )
        )
      ).toMatchObject({ action: "user.suspended", entity_id: "3" })
      follower.signal("SIGTERM")
      expect((await follower.ended).code).toBe(0)
    },
    patience
  )

  it(
    "shows no password in what the suite wrote",
    async () => {
      suite.signal("SIGTERM")
      const end = await suite.ended
      expect(end.code, end.stderr).toBe(0)
      expect(end.stdout + end.stderr).not.toContain(password)
    },
    patience
  )
})
