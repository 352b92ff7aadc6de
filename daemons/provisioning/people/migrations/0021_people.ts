import type { Migration } from "#core/sql/Migrations.ts"

/** Users, mailboxes and extensions, fed from the events of their daemons. The highest version of each wins. */
export const people: Migration = {
  id: 21,
  name: "users, mailboxes and extensions",
  statements: [
    `create table provisioning.known_user (
       user_id int primary key,
       tenant_id int not null,
       email text not null,
       name text not null,
       role text not null,
       locale text not null,
       state text not null check (state in ('active', 'suspended', 'deleted')),
       version int not null
     )`,
    "select core.protect('provisioning.known_user')",
    `create table provisioning.known_mailbox (
       address text primary key,
       tenant_id int not null,
       user_id int,
       is_default boolean not null,
       state text not null check (state in ('active', 'suspended', 'deleted')),
       version int not null
     )`,
    "create index known_mailbox_user on provisioning.known_mailbox (user_id)",
    "select core.protect('provisioning.known_mailbox')",
    `create table provisioning.known_extension (
       extension_id int primary key,
       tenant_id int not null,
       user_id int,
       extension text not null,
       domain text not null,
       enabled boolean not null,
       state text not null check (state in ('active', 'deleted')),
       version int not null
     )`,
    "create index known_extension_user on provisioning.known_extension (user_id)",
    "select core.protect('provisioning.known_extension')"
  ]
}
