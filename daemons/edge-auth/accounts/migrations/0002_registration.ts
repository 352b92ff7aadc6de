import type { Migration } from "#core/sql/Migrations.ts"

/** One-time link of the first user, and the time at which a user registered at the registration page. */
export const registration: Migration = {
  id: 2,
  name: "link of the first registration, and the time of registrations",
  statements: [
    // single: the table has at most one row. token: SHA-256 of the link's token.
    `create table edge_auth.first_link (
       single boolean primary key check (single),
       token text not null,
       expires_at timestamptz not null
     )`,
    // Null for imported users, whose registration never expires.
    `alter table edge_auth.users add registered_at timestamptz`,
    `create index users_waiting on edge_auth.users (registered_at) where status = 'pending'`
  ]
}
