import type { Migration } from "#core/sql/Migrations.ts"

/** Addresses from which a user signed in. */
export const knownAddresses: Migration = {
  id: 3,
  name: "addresses of sign-ins",
  // key: a hash of account and address.
  statements: [
    `create table edge_auth.known_address (
       key text primary key,
       last_success_at timestamptz not null
     )`
  ]
}
