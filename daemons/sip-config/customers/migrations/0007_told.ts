import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Tells the state of every customer once more, because their last events may have been deleted before the newest one of
 * each was kept. Readers that know a state ignore it by its version.
 */
export const told: Migration = {
  id: 7,
  name: "state of customers, told once",
  statements: [
    `insert into core.event (type, source, data)
       select 'customer.changed', 'sip-config', jsonb_build_object('customer_id', c.id, 'tenant_id', c.tenant_id,
           'number', c.number, 'name', c.name, 'locale', c.locale, 'email', c.email, 'state', 'active',
           'version', c.version, 'phones', (select coalesce(jsonb_agg(p.phone order by p.id), '[]')
             from sip_config.customer_phone p where p.customer_id = c.id))
         from sip_config.customer c order by c.id`
  ]
}
