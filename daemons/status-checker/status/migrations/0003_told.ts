import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Emits `status.maintenance.changed` for each window that is not over and has no such event, because it was announced
 * before the event existed. Without it, watchdog would not know the window.
 */
export const told: Migration = {
  id: 3,
  name: "events of earlier maintenance windows",
  statements: [
    `insert into core.event (type, source, tenant_id, data)
       select 'status.maintenance.changed', 'status-checker', 1, jsonb_build_object('maintenance_id', id,
           'title', title, 'title_en', title_en, 'components', to_jsonb(components), 'state', 'announced',
           'starts_at', to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'ends_at', to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         from status_checker.maintenance m where cancelled_at is null and ends_at > now()
           and not exists (select from core.event e where e.type = 'status.maintenance.changed'
             and e.data->>'maintenance_id' = m.id)
         order by number`
  ]
}
