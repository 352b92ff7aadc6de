/**
 * Migrations of the SQL function `core.state_key`, which names the thing that a state event is about
 * (core/contracts/StateEvents.ts), and of its index. Each further kind of state event needs one more.
 */
import type { Migration } from "./Migrations.ts"

/** The function and its index. */
export const newestStates: Migration = {
  id: 17,
  name: "the newest state of each thing",
  statements: [
    // As `stateEvents` in core/contracts/StateEvents.ts.
    `create function core.state_key(type text, data jsonb) returns text language sql immutable parallel safe as $$
       select case
         when type like 'mail.account.%' then 'mail.account. ' || (data->>'address')
         when type like 'mail.domain.%' then 'mail.domain. ' || (data->>'domain_id')
         when type like 'customer.%' then 'customer. ' || (data->>'customer_id')
         when type like 'domain.%' then 'domain. ' || (data->>'domain_id')
         when type like 'identity.user.%' then 'identity.user. ' || (data->>'user_id')
         when type like 'identity.tenant.%' then 'identity.tenant. ' || (data->>'tenant_id')
         when type like 'identity.messenger.%' then 'identity.messenger. ' || (data->>'user_id')
         when type like 'security.ban.%' then 'security.ban. ' || (data->>'address')
         when type like 'name.proven%' then 'name.proven ' || (data->>'kind') || ' ' || (data->>'name')
         when type like 'dns.mail\\_records.checked%' then 'dns.mail_records.checked ' || (data->>'domain')
       end $$`,
    `create index event_state on core.event (core.state_key(type, data), xid, id)
       where core.state_key(type, data) is not null`
  ]
}

/** Adds exemptions from bans, and maintenance windows. */
export const newestExemptions: Migration = {
  id: 19,
  name: "the newest state of each exemption and maintenance",
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
         when type like 'name.proven%' then 'name.proven ' || (data->>'kind') || ' ' || (data->>'name')
         when type like 'dns.mail\\_records.checked%' then 'dns.mail_records.checked ' || (data->>'domain')
       end $$`,
    `create index event_state on core.event (core.state_key(type, data), xid, id)
       where core.state_key(type, data) is not null`
  ]
}

/** Adds extensions of the telephone switch. */
export const newestExtensions: Migration = {
  id: 20,
  name: "the newest state of each extension",
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
         when type like 'name.proven%' then 'name.proven ' || (data->>'kind') || ' ' || (data->>'name')
         when type like 'dns.mail\\_records.checked%' then 'dns.mail_records.checked ' || (data->>'domain')
       end $$`,
    `create index event_state on core.event (core.state_key(type, data), xid, id)
       where core.state_key(type, data) is not null`
  ]
}
