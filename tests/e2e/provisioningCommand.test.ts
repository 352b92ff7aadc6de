/** `signalbox provisioning …` beside running daemons: an operator makes a link, sees its device, and revokes it. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAll, expect } from "vitest"
import { commandLine } from "#support/CommandLine.ts"
import { ensureBuilt, environmentOf } from "#support/Executable.ts"
import { requirePeer } from "#support/peers/install.ts"
import { readTerminal } from "#support/peers/Zbarimg.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startProvisioning } from "../daemons/provisioning/ProvisioningSuite.ts"

const run = commandLine()

beforeAll(ensureBuilt, 60_000)

it.live(
  "makes links, lists them and devices, and revokes both",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { extension, person, revocations, stateOf, suite } = yield* startProvisioning()
        const anna = yield* person()
        yield* extension(anna, "1001")
        const dataDir = yield* temporaryDirectory()
        const env = { ...environmentOf(dataDir), DATABASE_URL: suite.database.url }
        const provisioning = (...args: ReadonlyArray<string>) =>
          Effect.promise(() =>
            run(["provisioning", ...args], { ...env, SIGNALBOX_PUBLIC_URL: "https://box.example.org" })
          )
        const json = (...args: ReadonlyArray<string>) =>
          Effect.map(provisioning(...args, "--json"), ({ stderr, stdout }) => {
            expect(stdout, stderr).not.toBe("")
            return JSON.parse(stdout)
          })

        const made = yield* json("link", anna.email, "--label", "Phone")
        expect(made).toMatchObject({ user_id: anna.id, label: "Phone", state: "unused", created_by: "operator" })
        expect(made.link).toMatch(/^https:\/\/box\.example\.org\/provision\/sbp_[0-9a-f]{8}_[\w-]{64}$/)
        const shown = yield* provisioning("link", String(anna.id), "--qr")
        expect(shown.code, shown.stderr).toBe(0)
        const [address] = /^https:.*$/m.exec(shown.stdout)!
        if (requirePeer("zbarimg").available) expect(readTerminal(shown.stdout)).toBe(address)
        expect(shown.stdout).toContain(`for ${anna.email}. It works once`)
        expect((yield* provisioning("link", "nobody@example.org")).stderr).toContain(
          "there is no user nobody@example.org"
        )

        expect((yield* suite.call("GET", new URL(made.link).pathname)).status).toBe(200)
        const links = yield* json("links", "--user", anna.email)
        expect(links.map(({ state }: any) => state)).toEqual(["unused", "used"])
        expect(JSON.stringify(links)).not.toContain(made.link.split("_").slice(2).join("_"))
        const [unused] = yield* json("links", "--state", "unused")
        expect((yield* json("revoke-link", String(unused.id))).state).toBe("revoked")
        expect(yield* stateOf(unused.id)).toBe("revoked")
        expect((yield* provisioning("revoke-link", String(unused.id))).code).toBe(1)

        const [device] = yield* json("devices", "--user", String(anna.id))
        expect(device).toMatchObject({ name: "Phone", user_id: anna.id })
        expect((yield* provisioning("devices")).stdout).toContain(device.id)
        const revoked = yield* json("revoke", device.id.slice(0, 8))
        expect(revoked).toMatchObject({ id: device.id, sip_password_changes: true, affected_devices: [] })
        expect((yield* revocations).map(({ data }) => [data.device_id, data.reason])).toEqual([[device.id, "revoked"]])
        expect((yield* provisioning("revoke", device.id)).stderr).toContain(`there is no device ${device.id}`)
        expect((yield* provisioning("revoke", "nonsense")).code).toBe(64)
        expect(yield* json("devices")).toEqual([])
        const audit = yield* suite.sql<{ action: string }>`select action from core.audit where actor = 'operator'
          order by id`
        expect(audit.map(({ action }) => action)).toEqual([
          "client_token.created",
          "client_token.created",
          "client_token.revoked",
          "device.revoked"
        ])
      })
    ),
  120_000
)
