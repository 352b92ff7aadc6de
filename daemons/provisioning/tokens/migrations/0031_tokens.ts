import type { Migration } from "#core/sql/Migrations.ts"

/** One-time links that set up a device. */
export const tokens: Migration = {
  id: 31,
  name: "client tokens",
  statements: [
    // hash: SHA-256 of the whole token. device_id: the set-up that holds or has used the token; opening_until: when
    // an unfinished set-up loses its hold, so that the token can be used again.
    `create table provisioning.client_token (
       id int generated always as identity primary key,
       tenant_id int not null,
       user_id int not null,
       prefix text not null,
       hash bytea not null unique,
       label text,
       created_by text not null,
       created_at timestamptz not null default now(),
       expires_at timestamptz not null,
       revoked_at timestamptz,
       used_at timestamptz,
       device_id uuid,
       opening_until timestamptz
     )`,
    "create index client_token_user on provisioning.client_token (tenant_id, user_id, id desc)",
    "create index client_token_age on provisioning.client_token (expires_at)",
    "select core.protect('provisioning.client_token')"
  ]
}
