/** Tables of bans and exemptions that processes with a gateway, and daemons that refuse or count addresses, share. */
import type { Migrations } from "../sql/Migrations.ts"

/** Wake topic: bans or exemptions changed. */
export const bansTopic = "gateway bans"

export const gatewayMigrations: Migrations = {
  schema: "gateway",
  steps: [
    {
      id: 1,
      name: "bans",
      statements: [
        // A lifted ban stays as an expired row, so that an earlier event cannot restore it when it is read again.
        `create table gateway.ban (
           address cidr primary key,
           rule text not null,
           reason text,
           until timestamptz not null,
           event_id bigint not null
         )`
      ]
    },
    {
      id: 2,
      name: "exemptions from bans",
      statements: [
        `create table gateway.exemption (
           address cidr primary key,
           until timestamptz not null,
           event_id bigint not null
         )`,
        // For the bans that overlap an exemption.
        `create index ban_overlap on gateway.ban using gist (address inet_ops)`
      ]
    }
  ]
}
