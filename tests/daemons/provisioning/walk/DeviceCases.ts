/** Walk cases of what devices load, and of mails with links. */
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Secrets from "#core/config/Secrets.ts"
import * as ProfileTicket from "#daemons/provisioning/device-pages/ProfileTicket.ts"
import { newSecret, storedForm } from "#daemons/provisioning/device-pages/PhoneSecret.ts"
import { newToken } from "#daemons/provisioning/tokens/Token.ts"
import { firstOf } from "#support/FakeUsers.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { type Cases, open, thing, type Who } from "#support/walk/Case.ts"
import { knownUser } from "./Cases.ts"

const theirSecret = "the secret is the credential"

/** The suite needs a relay for mails. */
export const deviceCases = (suite: TestSuite): Cases => {
  const { env, sql } = suite
  const device = Effect.fnUntraced(function* (as: Who) {
    const id = randomUUID()
    yield* sql`insert into provisioning.device (id, tenant_id, user_id, name, features, client_ip)
      values (${id}::uuid, ${as.tenant}, ${firstOf(as.tenant)}, ${as.mark}, '{}', '192.0.2.1')`
    return id
  })
  const phone = Effect.fnUntraced(function* (as: Who) {
    const secret = Redacted.value(newSecret())
    yield* sql`insert into provisioning.phone_link (device_id, tenant_id, user_id, extension_id, hash)
      values (${yield* device(as)}::uuid, ${as.tenant}, ${firstOf(as.tenant)}, 17, ${storedForm(secret)})`
    return { secret }
  })
  const profile = Effect.fnUntraced(function* (as: Who) {
    const about = { device: yield* device(as), host: "example.org", language: "en" } as const
    const secrets = Secrets.layer(join(env["SIGNALBOX_DATA_DIR"]!, "keys"))
    return { profile: yield* Effect.provide(ProfileTicket.seal(about, {}, Date.now()), secrets) }
  })
  const link = Effect.fnUntraced(function* (as: Who) {
    const { hash, prefix, token } = newToken()
    yield* knownUser(suite, as.tenant, firstOf(as.tenant), as.mark)
    const [row] = yield* sql<{ id: number }>`insert into provisioning.client_token
        (tenant_id, user_id, prefix, hash, created_by, expires_at)
      values (${as.tenant}, ${firstOf(as.tenant)}, ${prefix}, ${hash}, 'user:1', now() + interval '1 day')
      returning id`
    return { id: row!.id, link: `https://example.org/provision/${Redacted.value(token)}` }
  })
  return {
    "POST /api/v1/provisioning/client-tokens/{id}/mail": thing({
      seed: link,
      never: { id: 2_000_000_000, link: `https://example.org/provision/sbp_00000000_${"A".repeat(64)}` },
      request: ({ id, link }) => ({ path: { id }, body: { link } }),
      success: 204
    }),
    "GET /provision/phone/{secret}/{file}": open(theirSecret, {
      seed: phone,
      never: { secret: "x".repeat(32) },
      request: ({ secret }) => ({ path: { secret: secret!, file: "y000000000044.cfg" } }),
      success: 200
    }),
    "POST /provision/profile/device.mobileconfig": open(theirSecret, {
      seed: profile,
      never: { profile: "sbx1.x.x.x" },
      request: ({ profile }) => ({ form: { profile: profile! } }),
      success: 200
    })
  }
}
