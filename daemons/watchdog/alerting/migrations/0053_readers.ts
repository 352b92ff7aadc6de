import type { Migration } from "#core/sql/Migrations.ts"

/** Time zones of the accounts that may read mails about alerts. Of a deleted user only the id and version remain. */
export const readers: Migration = {
  id: 53,
  name: "readers of alerts",
  additive: true,
  statements: [
    `create table watchdog.alert_reader (
       user_id int primary key,
       email text not null,
       time_zone text,
       state text not null,
       version int not null
     )`,
    `create index alert_reader_email on watchdog.alert_reader (lower(email)) where state = 'active'`
  ]
}
