import type { Migration } from "#core/sql/Migrations.ts"

/** Users of edge-auth, their sessions, and protected routes. Source of the names: interface document 3 §2.2. */
export const edge: Migration = {
  id: 1,
  name: "users, sessions, routes and attempts of the edge",
  statements: [
    // password: bcrypt hash. totp_secret: sealed secret, created at totp_begun, confirmed once totp_since is set.
    // totp_step: time step of the last accepted code. recovery_codes: sealed hashes of the unused recovery codes.
    `create table edge_auth.users (
       id int generated always as identity primary key,
       email text not null unique check (email = lower(email)),
       password text not null,
       name text not null,
       status text not null check (status in ('pending', 'active', 'blocked')),
       role text not null check (role in ('user', 'admin')),
       totp_secret text,
       totp_begun timestamptz,
       totp_since timestamptz,
       totp_step bigint,
       recovery_codes text,
       created_at timestamptz not null default now(),
       approved_at timestamptz,
       last_login timestamptz
     )`,
    `select core.track('edge_auth.users', 'email, name, status, role')`,
    // token: SHA-256 of the cookie's token, 64 hex characters. host: host of a session handed over to another root
    // domain; null for the cookie's domain. parent: session it was handed over from. sign_in: the first session of the
    // sign-in, so that all its sessions end together. ended_at: the session ended before expires_at; the row stays
    // until a day after expires_at, so that projections read the end.
    `create table edge_auth.sessions (
       token text primary key check (token ~ '^[0-9a-f]{64}$'),
       id int generated always as identity unique,
       user_id int not null references edge_auth.users (id),
       host text,
       parent int,
       sign_in int not null generated always as (coalesce(parent, id)) stored,
       ip text not null,
       user_agent text not null,
       created_at timestamptz not null default now(),
       expires_at timestamptz not null,
       ended_at timestamptz
     )`,
    `create index sessions_user on edge_auth.sessions (user_id)`,
    `create index sessions_sign_in on edge_auth.sessions (sign_in)`,
    `create index sessions_age on edge_auth.sessions (expires_at)`,
    `select core.track('edge_auth.sessions')`,
    // enabled: 1 or 0. removed_at: the row stays for a day, so that projections read the removal.
    `create table edge_auth.protected_routes (
       id int generated always as identity primary key,
       host text not null check (host = lower(host)),
       path text not null check (path ~ '^/'),
       description text not null default '',
       required_role text not null check (required_role in ('user', 'admin')),
       enabled smallint not null default 1 check (enabled in (0, 1)),
       created_at timestamptz not null default now(),
       removed_at timestamptz
     )`,
    `create unique index protected_routes_place on edge_auth.protected_routes (host, path) where removed_at is null`,
    `select core.track('edge_auth.protected_routes')`,
    // Half-done sign-ins: the password was right, the code is missing. token: SHA-256 of the token on the page.
    `create table edge_auth.half_sign_ins (
       token text primary key,
       user_id int not null references edge_auth.users (id),
       expires_at timestamptz not null
     )`,
    // ip: client address (of IPv6 the /64), or `account` and the user's id for codes of one account.
    `create table edge_auth.login_attempts (
       id bigint generated always as identity primary key,
       ip text not null,
       attempted_at timestamptz not null default now()
     )`,
    `create index login_attempts_ip on edge_auth.login_attempts (ip, attempted_at)`,
    `create index login_attempts_age on edge_auth.login_attempts (attempted_at)`,
    // Hosts that a proxy asked about.
    `create table edge_auth.seen_hosts (
       host text primary key,
       first_seen timestamptz not null default now(),
       last_seen timestamptz not null default now()
     )`,
    // Hand-overs to another root domain. code: SHA-256 of the one-time code. session_id: session it comes from.
    `create table edge_auth.handoffs (
       code text primary key,
       session_id int not null,
       host text not null,
       target text not null,
       expires_at timestamptz not null
     )`,
    `create table edge_auth.imports (source text primary key, at timestamptz not null default now())`
  ]
}
