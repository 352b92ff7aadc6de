import type { Migration } from "#core/sql/Migrations.ts"

/** Tables of sessions, refresh tokens, links and the throttle. */
export const sessions: Migration = {
  id: 2,
  name: "sessions and keys",
  statements: [
    `create table identity.session (
       id uuid primary key,
       tenant_id int not null,
       account_id int not null references identity.account (id) on delete cascade,
       -- How they proved who they are: password, totp, messenger, recovery_code, link, oidc:<provider>.
       methods text[] not null,
       address text,
       user_agent text,
       created_at timestamptz not null default now(),
       last_used_at timestamptz not null default now(),
       expires_at timestamptz not null,
       ended_at timestamptz,
       ended_because text
     )`,
    `create index session_account on identity.session (account_id, created_at desc)`,
    `create index session_age on identity.session (expires_at)`,
    `select core.protect('identity.session')`,
    // One row per issued refresh token; a second use ends its session (RFC 9700 §4.14.2).
    `create table identity.refresh_token (
       hash bytea primary key,
       tenant_id int not null,
       session_id uuid not null references identity.session (id) on delete cascade,
       issued_at timestamptz not null default now(),
       used_at timestamptz
     )`,
    `create index refresh_token_session on identity.refresh_token (session_id)`,
    `select core.protect('identity.refresh_token')`,
    `create table identity.signing_key (
       kid text primary key,
       private_jwk text not null,
       created_at timestamptz not null default now(),
       signs_from timestamptz not null,
       retires_at timestamptz not null
     )`,
    // One-time sign-in links: first administrator, invitation, password reset, return from an OpenID provider.
    `create table identity.sign_in_link (
       hash bytea primary key,
       tenant_id int not null,
       account_id int not null references identity.account (id) on delete cascade,
       purpose text not null check (purpose in ('first_admin', 'invitation', 'reset', 'oidc')),
       methods text[] not null,
       created_at timestamptz not null default now(),
       expires_at timestamptz not null,
       used_at timestamptz
     )`,
    `create index sign_in_link_account on identity.sign_in_link (account_id)`,
    `select core.protect('identity.sign_in_link')`,
    // Counts of sign-in attempts. Keys are hashed. Unlogged: lost after a crash of the server, which a client cannot
    // cause.
    `create unlogged table identity.throttle (
       key text primary key,
       failures int not null,
       window_started timestamptz not null
     )`,
    // Addresses from which an account signed in recently, as a hash of account and address.
    `create table identity.known_address (
       key text primary key,
       last_success_at timestamptz not null
     )`
  ]
}
