/**
 * Migrations of the SQL function `core.state_key`, which names the thing that a state event is about
 * (core/contracts/StateEvents.ts), and of its index. Each further kind of state event needs one more migration, with
 * its kinds in a list of its own, because a migration must stay as it was released.
 */
import { type StateEvents, stateKey } from "../contracts/StateEvents.ts"
import type { Migration } from "./Migrations.ts"

/** The function for these kinds. The index depends on the function, so it is built again. */
const keyed = (kinds: ReadonlyArray<StateEvents>): ReadonlyArray<string> => [
  `drop index if exists core.event_state`,
  `create or replace function core.state_key(type text, data jsonb) returns text language sql immutable parallel safe
     as $$ select ${stateKey(kinds)} $$`,
  `create index event_state on core.event (core.state_key(type, data), xid, id)
     where core.state_key(type, data) is not null`
]

const first: ReadonlyArray<StateEvents> = [
  { types: "mail.account.", key: ["address"] },
  { types: "mail.domain.", key: ["domain_id"] },
  { types: "customer.", key: ["customer_id"] },
  { types: "domain.", key: ["domain_id"] },
  { types: "identity.user.", key: ["user_id"] },
  { types: "identity.tenant.", key: ["tenant_id"] },
  { types: "identity.messenger.", key: ["user_id"] },
  { types: "security.ban.", key: ["address"] },
  { types: "name.proven", key: ["kind", "name"] },
  { types: "dns.mail_records.checked", key: ["domain"] }
]

const withExemptions: ReadonlyArray<StateEvents> = [
  ...first,
  { types: "security.exemption.", key: ["address"] },
  { types: "status.maintenance.", key: ["maintenance_id"] }
]

const withExtensions: ReadonlyArray<StateEvents> = [
  ...withExemptions,
  { types: "sip.extension.", key: ["extension_id"] }
]

/** The function and its index. */
export const newestStates: Migration = { id: 17, name: "the newest state of each thing", statements: keyed(first) }

/** Adds exemptions from bans, and maintenance windows. */
export const newestExemptions: Migration = {
  id: 19,
  name: "the newest state of each exemption and maintenance",
  statements: keyed(withExemptions)
}

/** Adds extensions of the telephone switch. */
export const newestExtensions: Migration = {
  id: 20,
  name: "the newest state of each extension",
  statements: keyed(withExtensions)
}

/** Adds revoked devices. */
export const newestRevocations: Migration = {
  id: 24,
  name: "the revocation of each device",
  statements: [
    // As `stateEvents` in core/contracts/StateEvents.ts.
    `drop index core.event_state`,
    `create or replace function core.state_key(type text, data jsonb) returns text language sql immutable
       parallel safe as $$
       select case
         when type like 'mail.account.%' then 'mail.account. ' || (data->>'address')
         when type like 'mail.domain.%' then 'mail.domain. ' || (data->>'domain_id')
         when type like 'customer.%' then 'customer. ' || (data->>'customer_id')
         when type like 'domain.%' then 'domain. ' || (data->>'domain_id')
         when type like 'identity.user.%' then 'identity.user. ' || (data->>'user_id')
         when type like 'identity.tenant.%' then 'identity.tenant. ' || (data->>'tenant_id')
         when type like 'identity.messenger.%' then 'identity.messenger. ' || (data->>'user_id')
         when type like 'security.ban.%' then 'security.ban. ' || (data->>'address')
         when type like 'security.exemption.%' then 'security.exemption. ' || (data->>'address')
         when type like 'status.maintenance.%' then 'status.maintenance. ' || (data->>'maintenance_id')
         when type like 'sip.extension.%' then 'sip.extension. ' || (data->>'extension_id')
         when type like 'provisioning.device.%' then 'provisioning.device. ' || (data->>'device_id')
         when type like 'name.proven%' then 'name.proven ' || (data->>'kind') || ' ' || (data->>'name')
         when type like 'dns.mail\\_records.checked%' then 'dns.mail_records.checked ' || (data->>'domain')
       end $$`,
    `create index event_state on core.event (core.state_key(type, data), xid, id)
       where core.state_key(type, data) is not null`
  ]
}
