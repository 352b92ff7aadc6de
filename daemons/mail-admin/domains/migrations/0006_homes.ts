import type { Migration } from "#core/sql/Migrations.ts"
import { mailServerRole } from "#core/postgres/ServerAccess.ts"

/**
 * Folders of mailboxes by mailbox id, so that a mailbox which is created again does not receive the mail of its
 * predecessor. Mailboxes that exist keep their folder, which is made of domain and local part.
 */
export const homes: Migration = {
  id: 6,
  name: "folders of mailboxes by id",
  statements: [
    `alter table mail_admin.mailbox add column former_home text`,
    `update mail_admin.mailbox m set former_home = d.domain || '/' || m.local_part
       from mail_admin.domain d where d.id = m.domain_id`,
    // Relative to Dovecot's mail folder. No mail domain is called `mailbox`, because it has no dot.
    `create function mail_admin.home_of(id int, former_home text) returns text language sql immutable
       return coalesce(former_home, 'mailbox/' || id)`,
    // Folders whose mailbox was deleted, until they are purged.
    `create table mail_admin.deleted_home (
       mailbox_id int primary key,
       tenant_id int not null,
       address text not null,
       home text not null,
       deleted_at timestamptz not null default now()
     )`,
    `select core.protect('mail_admin.deleted_home')`,
    `create or replace view mail_server.mailbox as
       select m.address, m.local_part, d.domain, m.state = 'active' as active, m.quota_mb,
              mail_admin.home_of(m.id, m.former_home) as home
         from mail_admin.mailbox m join mail_admin.domain d on d.id = m.domain_id`,
    `create or replace view mail_server.dovecot23_mailbox as
       select m.address, s.service,
              jsonb_strip_nulls(jsonb_build_object(
                'quota_rule', '*:storage=' || m.quota_mb || 'M', 'mailbox_home', m.home))::text as value
         from mail_server.mailbox m
         join (values ('lmtp', false), ('lda', false), ('quota-status', false), ('doveadm', false),
                      ('imap', true), ('pop3', true), ('sieve', true), ('submission', true)) s (service, people)
           on m.active or not s.people`,
    `do $$ begin
       if exists (select 1 from pg_roles where rolname = '${mailServerRole}') then
         grant select on all tables in schema mail_server to ${mailServerRole};
       end if;
     end $$`
  ]
}
