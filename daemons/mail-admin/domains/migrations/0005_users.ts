import type { Migration } from "#core/sql/Migrations.ts"

/** Addresses of users, and whether a mailbox may be linked to its user by its address. */
export const users: Migration = {
  id: 5,
  name: "addresses of users",
  statements: [
    // Fed from identity.user.*. A deleted user keeps its row with an empty address, because an older event may follow.
    `create table mail_admin.known_user (
       user_id int primary key,
       tenant_id int not null,
       email text not null,
       state text not null check (state in ('active', 'suspended', 'deleted')),
       version int not null
     )`,
    `create index known_user_email on mail_admin.known_user (tenant_id, email)`,
    `select core.protect('mail_admin.known_user')`,
    // False once somebody has removed the user of the mailbox.
    `alter table mail_admin.mailbox add column links_by_address boolean not null default true`
  ]
}
