import type { Migration } from "#core/sql/Migrations.ts"

/** Table of mail accounts, filled from `mail.account.*` events. */
export const mailAccounts: Migration = {
  id: 5,
  name: "mail accounts",
  statements: [
    `create table identity.mail_account (
       address text primary key,
       account_id int not null,
       user_id int,
       tenant_id int not null,
       state text not null check (state in ('active', 'suspended', 'deleted')),
       is_default boolean not null,
       version int not null
     )`,
    `create index mail_account_user on identity.mail_account (user_id)`,
    `select core.protect('identity.mail_account')`,
    `select core.track('identity.mail_account')`
  ]
}
