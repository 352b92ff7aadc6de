import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Proof of the ownership of mail domains. Several tenants may have a domain of the same name; the mail server sees only
 * the proven one. Domains that exist stay proven.
 */
export const ownership: Migration = {
  id: 7,
  name: "ownership of mail domains",
  statements: [
    `alter table mail_admin.domain add column proven boolean not null default false`,
    `update mail_admin.domain set proven = true`,
    `insert into core.name_claim (kind, tenant_id, name, token, state, proven_by)
       select 'mail', tenant_id, domain, replace(gen_random_uuid()::text, '-', ''), 'proven', 'upgrade'
         from mail_admin.domain`,
    `alter table mail_admin.domain drop constraint domain_domain_key`,
    `create unique index domain_claim on mail_admin.domain (tenant_id, domain)`,
    `create unique index domain_holder on mail_admin.domain (domain) where proven`,
    `create or replace view mail_server.domain as select domain from mail_admin.domain where proven`
  ]
}
