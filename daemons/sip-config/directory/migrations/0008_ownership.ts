import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Proof of the ownership of SIP domains, and assignment of numbers. Several tenants may claim a name or a number; the
 * switch sees only the proven and assigned ones. Those that exist stay in use.
 */
export const ownership: Migration = {
  id: 8,
  name: "ownership of SIP domains and numbers",
  statements: [
    `alter table sip_config.sip_domain add column proven boolean not null default false`,
    `update sip_config.sip_domain set proven = true`,
    `insert into core.name_claim (kind, tenant_id, name, token, state, proven_by)
       select 'sip', tenant_id, domain, replace(gen_random_uuid()::text, '-', ''), 'proven', 'upgrade'
         from sip_config.sip_domain`,
    `alter table sip_config.sip_domain drop constraint sip_domain_domain_key`,
    `create unique index sip_domain_claim on sip_config.sip_domain (tenant_id, domain)`,
    `create unique index sip_domain_holder on sip_config.sip_domain (domain) where proven`,
    `alter table sip_config.did add column assigned boolean not null default false`,
    `update sip_config.did set assigned = true`,
    `alter table sip_config.did drop constraint did_number_key`,
    `create unique index did_claim on sip_config.did (tenant_id, number)`,
    `create unique index did_holder on sip_config.did (number) where assigned`
  ]
}
