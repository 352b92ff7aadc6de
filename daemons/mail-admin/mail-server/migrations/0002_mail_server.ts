import type { Migration } from "#core/sql/Migrations.ts"
import { mailServerRole } from "#core/postgres/ServerAccess.ts"

/**
 * Views for Dovecot and Postfix. A view reads with the rights of its owner, the platform role. So it shows the rows of
 * all tenants despite forced row-level security, and its reader needs no right on a table.
 */
export const mailServer: Migration = {
  id: 2,
  name: "views for the mail server",
  statements: [
    `create schema mail_server`,
    `create view mail_server.domain as select domain from mail_admin.domain`,
    // All mailboxes, including suspended ones, which still receive mail.
    `create view mail_server.mailbox as
       select m.address, m.local_part, d.domain, m.state = 'active' as active, m.quota_mb
         from mail_admin.mailbox m join mail_admin.domain d on d.id = m.domain_id`,
    // Mailboxes that may sign in. `security_barrier` prevents a reader's function from seeing the hash of a suspended
    // mailbox.
    `create view mail_server.login with (security_barrier) as
       select address, '{ARGON2ID}' || password_hash as password from mail_admin.mailbox where state = 'active'`,
    `create view mail_server.alias as
       select a.source, d.domain, a.destination from mail_admin.alias a join mail_admin.domain d on d.id = a.domain_id`,
    // Senders: everybody may send with their own address, and with an alias that leads to it, also through other
    // aliases. Queried by source and domain, so that a look-up follows the paths of one alias only. Addresses are split
    // at the @, which they contain once.
    `create view mail_server.sender as
       select m.local_part as source, d.domain, m.address as login
         from mail_admin.mailbox m join mail_admin.domain d on d.id = m.domain_id where m.state = 'active'
       union all
       select first.source, first.domain, way.login
         from (select distinct a.source, d.domain, d.id as domain_id
                 from mail_admin.alias a join mail_admin.domain d on d.id = a.domain_id) first
         cross join lateral (
           with recursive leads (address) as (
             select a.destination from mail_admin.alias a
               where a.domain_id = first.domain_id and a.source = first.source
             union
             select a.destination from leads
               join mail_admin.domain d on d.domain = split_part(leads.address, '@', 2)
               join mail_admin.alias a on a.domain_id = d.id and a.source = split_part(leads.address, '@', 1)
           )
           select m.address as login from leads
             join mail_admin.mailbox m on m.address = leads.address where m.state = 'active'
         ) way`,
    // For Dovecot 2.3, whose sql passdb for Postgres crashes next to its oauth2 passdb: one JSON text per name, read
    // through its dict. Services used by people exclude suspended mailboxes.
    `create view mail_server.dovecot23_login with (security_barrier) as
       select address, jsonb_build_object('password', password)::text as value from mail_server.login`,
    `create view mail_server.dovecot23_mailbox as
       select m.address, s.service,
              jsonb_strip_nulls(jsonb_build_object('quota_rule', '*:storage=' || m.quota_mb || 'M'))::text as value
         from mail_server.mailbox m
         join (values ('lmtp', false), ('lda', false), ('quota-status', false), ('doveadm', false),
                      ('imap', true), ('pop3', true), ('sieve', true), ('submission', true)) s (service, people)
           on m.active or not s.people`,
    // `signalbox mail-server role` creates the role. When it already exists, for example after restoring the database,
    // it gets its grants here.
    `do $$ begin
       if exists (select 1 from pg_roles where rolname = '${mailServerRole}') then
         grant usage on schema mail_server to ${mailServerRole};
         grant select on all tables in schema mail_server to ${mailServerRole};
       end if;
     end $$`
  ]
}
