import type { Migration } from "#core/sql/Migrations.ts"

/** Versions of extensions for events, and the state of every extension as an event, for readers of other daemons. */
export const extensionEvents: Migration = {
  id: 9,
  name: "versions of extensions",
  statements: [
    `create sequence sip_config.extension_version as int`,
    `grant usage on sequence sip_config.extension_version to signalbox_tenant`,
    `alter table sip_config.extension add column version int not null default nextval('sip_config.extension_version')`,
    `insert into core.event (type, source, tenant_id, data)
       select 'sip.extension.changed', 'sip-config', e.tenant_id, jsonb_build_object('extension_id', e.id,
           'tenant_id', e.tenant_id, 'extension', e.extension, 'name', e.name, 'domain', d.domain,
           'user_id', e.user_id, 'enabled', e.enabled, 'state', 'active', 'version', e.version)
         from sip_config.extension e join sip_config.sip_domain d on d.id = e.domain_id order by e.id`
  ]
}
