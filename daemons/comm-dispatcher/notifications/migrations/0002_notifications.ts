import type { Migration } from "#core/sql/Migrations.ts"

/** Notifications, preferences, and the users who can be notified. Lengths as in interface document 1 §2.5. */
export const notifications: Migration = {
  id: 2,
  name: "notifications",
  statements: [
    `create table comm_dispatcher.member (
       user_id int primary key,
       tenant_id int not null,
       email text not null,
       name text not null,
       role text not null,
       locale text not null,
       state text not null check (state in ('active', 'suspended', 'deleted')),
       version int not null
     )`,
    `create index member_admins on comm_dispatcher.member (tenant_id) where role = 'admin'`,
    `create table comm_dispatcher.notification (
       id bigint generated always as identity primary key,
       -- Equal to id, for the lists of one reader. Ordered by id, the planner would use the primary key
       -- and read the rows of all readers.
       place bigint not null generated always as (id) stored,
       uuid uuid not null unique default gen_random_uuid(),
       user_id int not null,
       tenant_id int not null,
       type varchar(50) not null,
       channel varchar(20) not null default 'app' check (channel in ('app', 'email', 'messenger')),
       category varchar(30) not null,
       severity varchar(20) not null check (severity in ('info', 'success', 'warning', 'error')),
       icon varchar(50),
       title varchar(255) not null,
       body text not null,
       data jsonb not null default '{}',
       entity_type varchar(30),
       entity_id varchar(36),
       action_url varchar(500),
       read_at timestamptz,
       created_at timestamptz not null default now()
     )`,
    // One index per order of the list, so that a page reads only its own rows.
    `create index notification_list on comm_dispatcher.notification (user_id, place desc)`,
    `create index notification_unread on comm_dispatcher.notification (user_id, place desc) where read_at is null`,
    `create index notification_category on comm_dispatcher.notification (user_id, category, place desc)`,
    `create index notification_unread_category on comm_dispatcher.notification (user_id, category, place desc)
      where read_at is null`,
    // Maintained by the triggers below, so that every change of notifications is counted.
    `create table comm_dispatcher.notification_count (
       user_id int not null,
       tenant_id int not null,
       total bigint not null,
       unread bigint not null,
       primary key (user_id, tenant_id)
     ) with (fillfactor = 50)`,
    // Ordered by user, so that concurrent transactions wait and do not deadlock.
    `create function comm_dispatcher.count_notifications() returns trigger language plpgsql as $$
     begin
       if tg_op = 'INSERT' then
         insert into comm_dispatcher.notification_count as c (user_id, tenant_id, total, unread)
           select user_id, tenant_id, count(*), count(*) filter (where read_at is null) from added group by 1, 2
             order by 1, 2
           on conflict (user_id, tenant_id) do update set total = c.total + excluded.total,
             unread = c.unread + excluded.unread;
       elsif tg_op = 'DELETE' then
         insert into comm_dispatcher.notification_count as c (user_id, tenant_id, total, unread)
           select user_id, tenant_id, -count(*), -count(*) filter (where read_at is null) from gone group by 1, 2
             order by 1, 2
           on conflict (user_id, tenant_id) do update set total = c.total + excluded.total,
             unread = c.unread + excluded.unread;
       else
         insert into comm_dispatcher.notification_count as c (user_id, tenant_id, total, unread)
           select user_id, tenant_id, sum(one), sum(open) from (
             select user_id, tenant_id, 1 as one, (read_at is null)::int as open from added
             union all select user_id, tenant_id, -1, -(read_at is null)::int from gone) as changes
           group by 1, 2 having sum(one) <> 0 or sum(open) <> 0 order by 1, 2
           on conflict (user_id, tenant_id) do update set total = c.total + excluded.total,
             unread = c.unread + excluded.unread;
       end if;
       return null;
     end $$`,
    `create trigger count_added after insert on comm_dispatcher.notification referencing new table as added
       for each statement execute function comm_dispatcher.count_notifications()`,
    `create trigger count_changed after update on comm_dispatcher.notification
      referencing old table as gone new table as added
       for each statement execute function comm_dispatcher.count_notifications()`,
    `create trigger count_removed after delete on comm_dispatcher.notification referencing old table as gone
       for each statement execute function comm_dispatcher.count_notifications()`,
    `create table comm_dispatcher.notification_preference (
       user_id int not null,
       tenant_id int not null,
       event_type varchar(100) not null,
       channel varchar(20) not null,
       enabled boolean not null,
       primary key (user_id, event_type, channel)
     )`,
    // Deduplication keys of requested notifications; removed after a while.
    `create table comm_dispatcher.notification_key (
       tenant_id int not null,
       key text not null,
       created_at timestamptz not null default now(),
       primary key (tenant_id, key)
     )`,
    `create index notification_key_age on comm_dispatcher.notification_key (created_at)`,
    `select core.protect('comm_dispatcher.member')`,
    `select core.protect('comm_dispatcher.notification')`,
    `select core.protect('comm_dispatcher.notification_count')`,
    `select core.protect('comm_dispatcher.notification_preference')`,
    `select core.protect('comm_dispatcher.notification_key')`
  ]
}
