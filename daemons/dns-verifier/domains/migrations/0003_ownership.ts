import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Proof of the ownership of domains. Several tenants may have a domain of the same name; only the proven one writes its
 * zone and emits events. Domains that exist stay proven.
 */
export const ownership: Migration = {
  id: 3,
  name: "ownership of domains",
  statements: [
    `alter table dns_verifier.domain add column proven boolean not null default false`,
    `update dns_verifier.domain set proven = true`,
    `insert into core.name_claim (kind, tenant_id, name, token, state, proven_by)
       select 'dns', tenant_id, name, replace(gen_random_uuid()::text, '-', ''), 'proven', 'upgrade'
         from dns_verifier.domain`,
    `alter table dns_verifier.domain drop constraint domain_name_key`,
    `create unique index domain_claim on dns_verifier.domain (tenant_id, name)`,
    `create unique index domain_holder on dns_verifier.domain (name) where proven`,
    `create index domain_name on dns_verifier.domain (name)`
  ]
}
