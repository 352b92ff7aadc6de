/** Commands that create and delete extensions, ring groups, numbers, mailboxes and DNS accounts; and refusals. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect } from "vitest"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { commandLine } from "#support/CommandLine.ts"
import { ensureBuilt, environmentOf } from "#support/Executable.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

const run = commandLine()

beforeAll(ensureBuilt, 60_000)

it.live(
  "create objects as the operator, list them, and delete them",
  () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({
        daemons: [sipConfig, mailAdmin, dnsVerifier],
        gateway: true,
        env: { SIGNALBOX_MAIL_LOOKUP_PORT: "0" }
      })
      const dataDir = yield* temporaryDirectory()
      const env = { ...environmentOf(dataDir), DATABASE_URL: suite.database.url }
      const command = (...args: ReadonlyArray<string>) => Effect.promise(() => run(args, env))
      const made = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const { code, stderr, stdout } = yield* command(...args, "--json")
        expect(code, stderr).toBe(0)
        return JSON.parse(stdout)
      })

      expect((yield* command("sip", "extension", "list")).stdout).toContain("No extensions.")
      const at = ["--domain", "voice.example.org"]
      const one = yield* made("sip", "extension", "create", ...at, "--number", "1001", "--name", "Reception")
      expect(one).toMatchObject({ extension: "1001", domain: "voice.example.org", tenant_id: 1 })
      expect(JSON.stringify(one)).not.toContain("password")
      const again = yield* command("sip", "extension", "create", ...at, "--number", "1001", "--name", "Again")
      expect([again.code, again.stderr]).toEqual([
        1,
        expect.stringContaining("An extension of the domain has this number")
      ])
      const emergency = yield* command("sip", "extension", "create", ...at, "--number", "112", "--name", "No")
      expect(emergency.stderr).toContain("emergency number")

      const group = yield* made("sip", "ring-group", "create", "--name", "Sales", "--extensions", "1001")
      expect(group).toMatchObject({ extensions: ["1001"], strategy: "simultaneous" })
      const missing = yield* command("sip", "ring-group", "create", "--name", "None", "--extensions", "1009", ...at)
      expect(missing.stderr).toContain("extensions[0] must be the number of an extension of the same SIP domain")
      const lead = ["--to", "ring_group", "--to-id", String(group.id)]
      const did = yield* made("sip", "create-did", "--number", "+49 30 123456", "--name", "Office", ...lead)
      expect(did).toMatchObject({ number: "+4930123456", state: "assigned" })
      const used = yield* command("sip", "ring-group", "delete", String(group.id), "--yes")
      expect(used.code).toBe(1)
      expect((yield* command("sip", "delete-did", String(did.id), "--yes")).stdout).toBe(`DID ${did.id} is deleted.\n`)
      expect((yield* command("sip", "ring-group", "delete", String(group.id), "--yes")).code).toBe(0)
      expect((yield* command("sip", "extension", "delete", String(one.id), "--yes")).code).toBe(0)
      expect((yield* command("sip", "ring-group", "list")).stdout).toContain("No ring groups.")

      const token = yield* suite.token
      const domain = yield* suite.call("POST", "/api/v1/mail/domains", {
        token,
        body: { domain: "example.org", customer_id: 1 }
      })
      expect(domain.status, domain.text).toBe(201)
      expect((yield* command("mailbox", "list", "example.org")).stdout).toContain("No mailboxes.")
      const box = yield* made("mailbox", "create", "anna@example.org", "--quota", "500")
      expect(box).toMatchObject({ address: "anna@example.org", quota_mb: 500 })
      expect(box.password).toMatch(/^[\w-]{20}$/)
      expect((yield* command("mailbox", "list", "example.org")).stdout).toContain("anna@example.org")
      const twice = yield* command("mailbox", "create", "anna@example.org")
      expect(twice.stderr).toContain("A mailbox has this address.")

      const file = join(dataDir, "credentials.json")
      writeFileSync(file, JSON.stringify({ api_token: "secret-of-hetzner" }))
      const account = ["--customer", "1", "--name", "Hetzner", "--type", "provider_a"]
      const bad = yield* command("dns-account", "create", ...account, "--credentials-file", join(dataDir, "none.json"))
      expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining("cannot be read")])
      const held = yield* made("dns-account", "create", ...account, "--credentials-file", file)
      expect(held).toMatchObject({ name: "Hetzner", has_credentials: true, is_default: true })
      const listed = yield* command("dns-account", "list")
      expect(listed.stdout).toContain("Hetzner")
      expect(listed.stdout).not.toContain("secret-of-hetzner")
      expect((yield* command("dns-account", "delete", String(held.id), "--yes")).code).toBe(0)
      expect((yield* command("dns-account", "list")).stdout).toContain("No accounts.")

      const actors = yield* suite.sql<{ actor: string }>`select distinct actor from core.audit
        where entity_type in ('sip_extension', 'sip_ring_group', 'sip_did', 'mail_account', 'dns_provider')`
      expect(actors.map(({ actor }) => actor)).toEqual(["operator"])
    }),
  180_000
)
