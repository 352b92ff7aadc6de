import type { Migration } from "#core/sql/Migrations.ts"

/** Devices that were set up by a link. */
export const devices: Migration = {
  id: 41,
  name: "devices",
  statements: [
    // session, mailbox, extension_id: the credentials that the device received; null for each that it did not.
    `create table provisioning.device (
       id uuid primary key,
       tenant_id int not null,
       user_id int not null,
       token_id int,
       name text not null,
       features text[] not null,
       client_ip text not null,
       user_agent text,
       session text,
       mailbox text,
       extension_id int,
       created_at timestamptz not null default now(),
       last_seen_at timestamptz,
       revoked_at timestamptz,
       revoked_by text
     )`,
    "create index device_user on provisioning.device (tenant_id, user_id, created_at desc)",
    "create index device_extension on provisioning.device (extension_id) where revoked_at is null",
    "create index device_session on provisioning.device (session) where revoked_at is null",
    "select core.protect('provisioning.device')"
  ]
}
