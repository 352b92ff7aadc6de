import type { Migration } from "#core/sql/Migrations.ts"

/** How long components took to answer. */
export const responseTimes: Migration = {
  id: 6,
  name: "response times of components",
  additive: true,
  statements: [
    // One row for each component and quarter of an hour with an answer. slot: its begin. total_ms: sum of all checks;
    // most_ms: the slowest one.
    `create table status_checker.response_time (
       component_id text not null,
       slot timestamptz not null,
       checks int not null check (checks > 0),
       total_ms bigint not null,
       most_ms int not null,
       primary key (component_id, slot)
     )`
  ]
}
