import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Tells the state of every mailbox and proven domain once more, because their last events may have been deleted before
 * the newest one of each was kept. Readers that know a state ignore it by its version.
 */
export const told: Migration = {
  id: 8,
  name: "state of mailboxes and domains, told once",
  statements: [
    `insert into core.event (type, source, data)
       select 'mail.account.changed', 'mail-admin', jsonb_build_object('account_id', id, 'address', address,
           'user_id', user_id, 'tenant_id', tenant_id, 'state', state, 'is_default', is_default, 'version', version)
         from mail_admin.mailbox order by id`,
    `insert into core.event (type, source, data)
       select 'mail.domain.changed', 'mail-admin', jsonb_build_object('domain_id', d.id, 'tenant_id', d.tenant_id,
           'customer_id', d.customer_id, 'domain', d.domain, 'state', 'active', 'version', d.version,
           'records', (select coalesce(jsonb_agg(jsonb_build_object('type', r.type, 'name', r.name,
               'content', r.content, 'priority', r.priority) order by r.id), '[]')
             from mail_admin.dns_record r where r.domain_id = d.id))
         from mail_admin.domain d where d.proven order by d.id`
  ]
}
