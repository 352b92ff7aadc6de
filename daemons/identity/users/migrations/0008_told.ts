import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Tells the state of every tenant, user and chat once more, because their last events may have been deleted before the
 * newest one of each was kept. Readers that know a state ignore it by its version. `telling` stored the progress of the
 * weekly repetition that this replaces.
 */
export const told: Migration = {
  id: 8,
  name: "state of tenants and users, told once",
  statements: [
    `insert into core.event (type, source, data)
       select 'identity.tenant.changed', 'identity', jsonb_build_object('tenant_id', id, 'name', name, 'state', state,
           'version', version)
         from identity.tenant order by id`,
    `insert into core.event (type, source, data)
       select 'identity.user.changed', 'identity', jsonb_build_object('user_id', id, 'tenant_id', tenant_id,
           'email', email, 'name', name, 'role', role, 'locale', locale, 'state', state, 'version', version)
         from identity.account order by id`,
    `insert into core.event (type, source, data)
       select 'identity.messenger.changed', 'identity', jsonb_build_object('user_id', a.id, 'tenant_id', a.tenant_id,
           'chat_id', f.chat_id, 'version', a.version)
         from identity.messenger_factor f join identity.account a on a.id = f.account_id
         where f.confirmed_at is not null order by a.id`,
    `drop table identity.telling`
  ]
}
