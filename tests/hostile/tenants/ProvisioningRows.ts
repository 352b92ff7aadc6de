/** Rows of a customer in provisioning: bookings that the provider made, a link, and a device that it has set up. */
import { Effect } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import type { TestSuite } from "#support/TestSuite.ts"
import type { Party } from "./Site.ts"

export const provisioningRows = Effect.fnUntraced(function* (
  { sql }: TestSuite,
  { secret, tenant }: Party,
  user: number
) {
  const slug = () => secret().toLowerCase()
  yield* sql`insert into provisioning.tenant_plan (tenant_id, plan, base_domain)
    values (${tenant}, ${secret()}, ${`${slug()}.test`})`
  yield* sql`insert into provisioning.tenant_module (tenant_id, slug, tier, status)
    values (${tenant}, ${slug()}, ${secret()}, 'active')`
  // The catalog is visible to all tenants.
  const [made] = yield* sql<{ id: number }>`insert into provisioning.package (slug, name, type)
    values (${`office-${tenant}`}, 'Package', 'office') returning id`
  yield* sql`insert into provisioning.subscription (tenant_id, package_id, status)
    values (${tenant}, ${made!.id}, 'active')`
  yield* sql`insert into provisioning.tenant_addon (tenant_id, slug, status, quantity)
    values (${tenant}, ${slug()}, 'active', 2)`
  const device = randomUUID()
  const [token] = yield* sql<{ id: number }>`insert into provisioning.client_token
      (tenant_id, user_id, prefix, hash, label, created_by, expires_at, used_at, device_id)
    values (${tenant}, ${user}, 'aaaabbbb', ${randomBytes(32)}, ${secret()}, ${secret()}, now() + interval '1 day',
      now(), ${device}::uuid) returning id`
  yield* sql`insert into provisioning.client_token (tenant_id, user_id, prefix, hash, label, created_by, expires_at)
    values (${tenant}, ${user}, 'ccccdddd', ${randomBytes(32)}, ${secret()}, ${secret()}, now() + interval '1 day')`
  yield* sql`insert into provisioning.device
      (id, tenant_id, user_id, token_id, name, features, client_ip, user_agent, session, mailbox, extension_id)
    values (${device}::uuid, ${tenant}, ${user}, ${token!.id}, ${secret()}, '{mail}', '192.0.2.1', ${secret()},
      ${randomUUID()}, ${`${secret()}@far.test`}, null)`
  yield* sql`insert into provisioning.phone_link (device_id, tenant_id, user_id, extension_id, hash, fetched_from)
    values (${device}::uuid, ${tenant}, ${user}, 1, ${randomBytes(32)}, ${secret()})`
})
