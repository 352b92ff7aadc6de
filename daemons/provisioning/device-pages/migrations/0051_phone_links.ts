import type { Migration } from "#core/sql/Migrations.ts"

/** Addresses from which telephones load their configuration, one for each device with an extension. */
export const phoneLinks: Migration = {
  id: 51,
  name: "addresses of telephones",
  statements: [
    // hash: SHA-256 of the secret in the address.
    `create table provisioning.phone_link (
       device_id uuid primary key references provisioning.device (id) on delete cascade,
       tenant_id int not null,
       user_id int not null,
       extension_id int not null,
       hash bytea not null unique,
       created_at timestamptz not null default now(),
       fetched_at timestamptz,
       fetched_from text
     )`,
    "select core.protect('provisioning.phone_link')"
  ]
}
