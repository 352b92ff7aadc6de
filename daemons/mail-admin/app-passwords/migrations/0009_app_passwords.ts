import type { Migration } from "#core/sql/Migrations.ts"
import { mailServerRole } from "#core/postgres/ServerAccess.ts"

/** Passwords of mailboxes for single devices, and what Dovecot reads of them. */
export const appPasswords: Migration = {
  id: 9,
  name: "app passwords",
  statements: [
    // user_id: the user for whom the password was made. tag: AppPassword.ts.
    `create table mail_admin.app_password (
       id int generated always as identity primary key,
       tenant_id int not null,
       mailbox_id int not null references mail_admin.mailbox (id) on delete cascade,
       user_id int not null,
       device_id text not null,
       device_name text not null,
       tag text not null check (tag ~ '^[0-9a-f]{2}$'),
       password_hash text not null,
       created_at timestamptz not null default now(),
       unique (mailbox_id, tag),
       unique (mailbox_id, device_id)
     )`,
    `create index app_password_device on mail_admin.app_password (device_id)`,
    `select core.protect('mail_admin.app_password')`,
    // App passwords do not work while the mailbox is suspended, or once it belongs to another user.
    `create view mail_server.app_login with (security_barrier) as
       select m.address, a.tag, '{ARGON2ID}' || a.password_hash as password
         from mail_admin.app_password a join mail_admin.mailbox m on m.id = a.mailbox_id
        where m.state = 'active' and m.user_id = a.user_id`,
    `create view mail_server.dovecot23_app_login with (security_barrier) as
       select address, tag, jsonb_build_object('password', password)::text as value from mail_server.app_login`,
    `do $$ begin
       if exists (select 1 from pg_roles where rolname = '${mailServerRole}') then
         grant select on all tables in schema mail_server to ${mailServerRole};
       end if;
     end $$`
  ]
}
