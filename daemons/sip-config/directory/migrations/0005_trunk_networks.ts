import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Networks of trunks that the provider has confirmed. Existing networks keep working, except those that are too wide
 * (trunks/Networks.ts).
 */
export const trunkNetworks: Migration = {
  id: 5,
  name: "trunk networks",
  statements: [
    `alter table sip_config.trunk add column confirmed cidr[] not null default '{}'`,
    `update sip_config.trunk set confirmed = array(select network from unnest(networks) network
       where masklen(network) >= case family(network) when 4 then 12 else 29 end) where networks <> '{}'`
  ]
}
