import type { Migration } from "#core/sql/Migrations.ts"

/** Tables of second factors. */
export const factors: Migration = {
  id: 3,
  name: "second factors",
  statements: [
    `create table identity.totp (
       account_id int primary key references identity.account (id) on delete cascade,
       tenant_id int not null,
       secret text not null,
       created_at timestamptz not null default now(),
       confirmed_at timestamptz,
       -- Codes that were tried to confirm it with.
       tries int not null default 0,
       -- The last time step that was accepted; it and earlier ones are not accepted again (RFC 6238 §5.2).
       last_step bigint not null default 0
     )`,
    `select core.protect('identity.totp')`,
    `create table identity.recovery_code (
       id uuid primary key,
       tenant_id int not null,
       account_id int not null references identity.account (id) on delete cascade,
       -- An envelope of its SHA-256.
       hash text not null,
       used_at timestamptz
     )`,
    `create index recovery_code_account on identity.recovery_code (account_id)`,
    `select core.protect('identity.recovery_code')`,
    `create table identity.messenger_factor (
       account_id int primary key references identity.account (id) on delete cascade,
       tenant_id int not null,
       chat_id text not null,
       created_at timestamptz not null default now(),
       confirmed_at timestamptz
     )`,
    `select core.protect('identity.messenger_factor')`,
    // The current code per account and purpose; a new code replaces it.
    `create table identity.one_time_code (
       account_id int not null references identity.account (id) on delete cascade,
       tenant_id int not null,
       purpose text not null check (purpose in ('bind', 'login')),
       -- Fresh with each code, and part of what is hashed.
       id text not null,
       hash bytea not null,
       tries int not null default 0,
       created_at timestamptz not null default now(),
       expires_at timestamptz not null,
       primary key (account_id, purpose)
     )`,
    `select core.protect('identity.one_time_code')`,
    // Recent sends of codes, by key `account 12` or `chat 42`. Unlogged, because rows are useless after ten minutes.
    `create unlogged table identity.code_send (
       key text not null,
       sent_at timestamptz not null default now()
     )`,
    `create index code_send_key on identity.code_send (key, sent_at)`
  ]
}
